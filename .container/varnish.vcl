# Varnish 7 in front of a service, with PUBLIC_CACHE_SECONDS=2: it keeps what CDN-Cache-Control allows, and nothing else.
# Replace the address of the backend, which runs with TRUSTED_PROXIES=1.
# Whoever has some addresses has the file, the badge or the session, so varnishncsa is to leave them out:
# varnishncsa -q 'ReqURL !~ "^/(download|wallet|files|console/sign-in)/"'
# .docs/high-availability.md says what this promises; test/edges/varnish.slow.test.ts starts this very file.
vcl 4.1;

import std;

backend default {
  .host = "127.0.0.1";
  .port = "8080";
}

sub vcl_backend_response {
  # Varnish would show old answers while it fetches a new one, or gets none: a withdrawn credential would look genuine.
  set beresp.grace = 0s;
  set beresp.keep = 0s;
  if (beresp.status == 200 && beresp.http.CDN-Cache-Control ~ "^max-age=[0-9]+$") {
    set beresp.ttl = std.duration(regsub(beresp.http.CDN-Cache-Control, "^max-age=", "") + "s", 0s);
    return (deliver);
  }
}

sub vcl_deliver {
  # The answer has been on its way for less than its readers could tell, and they ask each time.
  unset resp.http.CDN-Cache-Control;
  unset resp.http.Age;
}
