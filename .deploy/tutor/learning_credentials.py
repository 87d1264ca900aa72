"""Runs the Learning Credentials Service next to Open edX: a plug-in for Tutor, in one file. See .docs/tutor.md.

It is a Python module, because a YAML plug-in needs a separate folder of templates for init tasks.
The names of patches and the context are those of overhangio/tutor f9c2a391 (21.0.8).
"""

from __future__ import annotations

import base64
import hashlib
import json
import secrets
import typing as t

import jinja2
from Crypto.PublicKey import ECC
from tutor import hooks

NAME = "LEARNING_CREDENTIALS_"

DEFAULTS: dict[str, t.Any] = {
    # The image that you have built and pushed: see .docs/tutor.md.
    "DOCKER_IMAGE": "learning-credentials:latest",
    "DOCKER_IMAGE_POSTGRES": "docker.io/postgres:18",
    "HOST": "credentials.{{ LMS_HOST }}",
    "POSTGRES_DATABASE": "learning_credentials",
    "POSTGRES_OWNER": "learning_credentials",
    "POSTGRES_USERNAME": "learning_credentials_service",
    # The LMS account with which the service reads courses and grades.
    "SERVICE_USERNAME": "learning_credentials",
    "OAUTH2_KEY": "learning-credentials",
    "OAUTH2_KEY_SSO": "learning-credentials-sso",
    # Further settings of the connector, for example {"completion": "aggregator", "paths": true}.
    "CONNECTOR": {},
    # Further settings of the service, by name. They override those below.
    "SETTINGS": {},
    # Whether to remove secrets in URLs from Caddy's error log. Caddy accepts only one such filter.
    "FILTER_PROXY_LOG": True,
}

UNIQUE = {
    "POSTGRES_OWNER_PASSWORD": "{{ 24|random_string }}",
    "POSTGRES_PASSWORD": "{{ 24|random_string }}",
    "OAUTH2_SECRET": "{{ 40|random_string }}",
    "OAUTH2_SECRET_SSO": "{{ 40|random_string }}",
    "AUTH_JWT_SECRET": "{{ 40|random_string }}",
    "URL_SIGNING_SECRET": "{{ 40|random_string }}",
    "WEBHOOK_SECRET": "{{ 40|random_string }}",
    "SETTINGS_SECRET": "{{ 40|random_string }}",
    "SIGNING_KEY_ED25519": "{{ 'ed25519'|learning_credentials_key }}",
    "SIGNING_KEY_P256": "{{ 'p256'|learning_credentials_key }}",
}

SCHEME = "{{ 'https' if ENABLE_HTTPS else 'http' }}://"

# START writes the TUTOR_… variables to files before it starts the service.
ENVIRONMENT = {
    "DATABASE_URL": "postgres://{{ LEARNING_CREDENTIALS_POSTGRES_USERNAME }}:{{ LEARNING_CREDENTIALS_POSTGRES_PASSWORD }}"
    "@learning-credentials-db/{{ LEARNING_CREDENTIALS_POSTGRES_DATABASE }}",
    "DATA_DIR": "/data",
    "HOST": "0.0.0.0",
    "HTTP_PORT": "8080",
    "GRPC_PORT": "50051",
    "ADMIN_PORT": "9464",
    "PUBLIC_URL": SCHEME + "{{ LEARNING_CREDENTIALS_HOST }}",
    "PLATFORM_NAME": "{{ PLATFORM_NAME }}",
    "LANGUAGE_CODE": "{{ LANGUAGE_CODE }}",
    "AUTH_JWT_ISSUER": "{{ JWT_COMMON_ISSUER }}",
    "AUTH_JWT_AUDIENCE": "{{ JWT_COMMON_AUDIENCE }}",
    "AUTH_JWT_SECRET": "{{ LEARNING_CREDENTIALS_AUTH_JWT_SECRET }}",
    "AUTH_JWKS": "{% set key = JWT_RSA_PRIVATE_KEY|rsa_import_key %}"
    '{"keys": [{"kid": "openedx", "kty": "RSA", "e": "{{ key.e|long_to_base64 }}", "n": "{{ key.n|long_to_base64 }}"}]}',
    "CORS_ALLOWED_ORIGINS": SCHEME + "{{ LMS_HOST }}{% if MFE_HOST is defined %}," + SCHEME + "{{ MFE_HOST }}{% endif %}",
    # If Tutor's proxy isn't the public one (ENABLE_WEB_PROXY is false), there is another proxy in front of it.
    "TRUSTED_PROXIES": "{{ 1 if ENABLE_WEB_PROXY else 2 }}",
    "URL_SIGNING_SECRET": "{{ LEARNING_CREDENTIALS_URL_SIGNING_SECRET }}",
    "WEBHOOK_SECRET": "{{ LEARNING_CREDENTIALS_WEBHOOK_SECRET }}",
    "SETTINGS_SECRET": "{{ LEARNING_CREDENTIALS_SETTINGS_SECRET }}",
    "SIGNING_KEY_FILES": "/tmp/ed25519.pem,/tmp/p256.pem",
    "CONNECTORS_FILE": "/tmp/connectors.json",
    "SMTP_URL": "{{ 'smtps' if SMTP_USE_SSL else 'smtp' }}://"
    "{% if SMTP_USERNAME %}{{ SMTP_USERNAME|urlencode }}:{{ SMTP_PASSWORD|urlencode }}@{% endif %}{{ SMTP_HOST }}:{{ SMTP_PORT }}"
    "{% if SMTP_USE_TLS %}?requireTLS=true{% elif SMTP_USERNAME and not SMTP_USE_SSL %}?requireTLS=false{% endif %}",
    "MAIL_FROM": "{{ CONTACT_EMAIL }}",
    # Staff sign in through the LMS, but only over HTTPS, because the service accepts no identity provider without TLS.
    "OPENEDX_URL": "{% if ENABLE_HTTPS %}https://{{ LMS_HOST }}{% endif %}",
    "OIDC_CLIENT_ID": "{% if ENABLE_HTTPS %}{{ LEARNING_CREDENTIALS_OAUTH2_KEY_SSO }}{% endif %}",
    "OIDC_CLIENT_SECRET": "{% if ENABLE_HTTPS %}{{ LEARNING_CREDENTIALS_OAUTH2_SECRET_SSO }}{% endif %}",
    "TUTOR_CONNECTORS": "{{ [dict({'id': 'lms', 'type': 'openedx', 'base_url': 'http://lms:8000', 'allow_http': true,"
    " 'client_id': LEARNING_CREDENTIALS_OAUTH2_KEY, 'client_secret_file': '/tmp/openedx-client-secret',"
    " 'username': LEARNING_CREDENTIALS_SERVICE_USERNAME}, **LEARNING_CREDENTIALS_CONNECTOR)]|tojson }}",
    "TUTOR_CLIENT_SECRET": "{{ LEARNING_CREDENTIALS_OAUTH2_SECRET }}",
    "TUTOR_ED25519_KEY": "{{ LEARNING_CREDENTIALS_SIGNING_KEY_ED25519 }}",
    "TUTOR_P256_KEY": "{{ LEARNING_CREDENTIALS_SIGNING_KEY_P256 }}",
}

OWNER_URL = (
    "postgres://{{ LEARNING_CREDENTIALS_POSTGRES_OWNER }}:{{ LEARNING_CREDENTIALS_POSTGRES_OWNER_PASSWORD }}"
    "@learning-credentials-db/{{ LEARNING_CREDENTIALS_POSTGRES_DATABASE }}"
)
DATABASE = {
    "POSTGRES_DB": "{{ LEARNING_CREDENTIALS_POSTGRES_DATABASE }}",
    "POSTGRES_USER": "{{ LEARNING_CREDENTIALS_POSTGRES_OWNER }}",
    "POSTGRES_PASSWORD": "{{ LEARNING_CREDENTIALS_POSTGRES_OWNER_PASSWORD }}",
}

START = """umask 077
printf %s "$TUTOR_CONNECTORS" >/tmp/connectors.json
printf %s "$TUTOR_CLIENT_SECRET" >/tmp/openedx-client-secret
printf '%s\\n' "$TUTOR_ED25519_KEY" >/tmp/ed25519.pem
printf '%s\\n' "$TUTOR_P256_KEY" >/tmp/p256.pem
unset TUTOR_CONNECTORS TUTOR_CLIENT_SECRET TUTOR_ED25519_KEY TUTOR_P256_KEY
exec node dist/src/main.js "$@"
"""
ENTRYPOINT = json.dumps(["sh", "-ec", START, "learning-credentials"])


def render(context: jinja2.runtime.Context, templates: dict[str, str]) -> dict[str, str]:
    """Renders the templates. Omits empty values."""
    values = {name: context.environment.from_string(text).render(context.get_all()) for name, text in templates.items()}
    return {name: value for name, value in values.items() if value}


@jinja2.pass_context
def environment(context: jinja2.runtime.Context) -> dict[str, str]:
    """Returns the environment of the service."""
    settings = context["LEARNING_CREDENTIALS_SETTINGS"]
    return {**render(context, ENVIRONMENT), **{name: str(value) for name, value in settings.items()}}


@jinja2.pass_context
def job_environment(context: jinja2.runtime.Context) -> dict[str, str]:
    """Returns the environment of the migration job, which connects as the owner of the tables."""
    own = {"DATABASE_URL": ENVIRONMENT["DATABASE_URL"], "DATABASE_OWNER_URL": OWNER_URL}
    return render(context, own)


@jinja2.pass_context
def database_environment(context: jinja2.runtime.Context) -> dict[str, str]:
    """Returns the environment of the database."""
    return render(context, DATABASE)


def checksum(values: dict[str, str]) -> str:
    """Returns a hash of the values. When it changes, Kubernetes replaces the pods."""
    return hashlib.sha256(json.dumps(values, sort_keys=True).encode()).hexdigest()


def private_key(curve: str) -> str:
    """Returns a new private key as PKCS #8 in PEM. An Ed25519 key is a seed after fixed bytes (RFC 8410, section 7)."""
    if curve != "ed25519":
        return ECC.generate(curve=curve).export_key(format="PEM")
    key = base64.b64encode(bytes.fromhex("302e020100300506032b657004220420") + secrets.token_bytes(32)).decode()
    return f"-----BEGIN PRIVATE KEY-----\n{key}\n-----END PRIVATE KEY-----"


hooks.Filters.CONFIG_DEFAULTS.add_items([(NAME + name, value) for name, value in DEFAULTS.items()])
hooks.Filters.CONFIG_UNIQUE.add_items([(NAME + name, value) for name, value in UNIQUE.items()])
hooks.Filters.ENV_TEMPLATE_FILTERS.add_items(
    [("learning_credentials_key", private_key), ("learning_credentials_checksum", checksum)]
)
hooks.Filters.ENV_TEMPLATE_VARIABLES.add_items(
    [
        ("learning_credentials_environment", environment),
        ("learning_credentials_job_environment", job_environment),
        ("learning_credentials_database_environment", database_environment),
    ]
)


@hooks.Filters.APP_PUBLIC_HOSTS.add()
def add_public_host(hosts: list[str], context_name: str) -> list[str]:
    """Adds the service to the addresses that Tutor prints, except for `tutor dev`, where it isn't behind a proxy."""
    return hosts if context_name == "dev" else [*hosts, "{{ LEARNING_CREDENTIALS_HOST }}"]


# Compose replaces variables in values, so a dollar sign is written as "$$".
COMPOSE_SERVICE = """  image: {{ LEARNING_CREDENTIALS_DOCKER_IMAGE }}
  entrypoint: %s
  environment: {{ learning_credentials_environment()|tojson|replace("$", "$$") }}
  read_only: true
  tmpfs: ["/tmp"]
  cap_drop: [ALL]
  security_opt: ["no-new-privileges:true"]
  stop_grace_period: 50s
  restart: unless-stopped
  volumes: ["../../data/learning-credentials:/data:z"]
  depends_on: [permissions, learning-credentials-db]
""" % ENTRYPOINT.replace("$", "$$")

POD = """      automountServiceAccountToken: false
      securityContext: { runAsNonRoot: true, runAsUser: %(user)s, runAsGroup: %(user)s, fsGroup: %(user)s, seccompProfile: { type: RuntimeDefault } }
"""
CONTAINER = """          securityContext: { readOnlyRootFilesystem: true, allowPrivilegeEscalation: false, capabilities: { drop: [ALL] } }
"""


def service_container(name: str, args: str, admin_port: int, ports: str) -> str:
    """Returns a container of the service's pod. Each needs its own admin port, because they share the pod's ports."""
    return f"""        - name: {name}
          image: {{{{ LEARNING_CREDENTIALS_DOCKER_IMAGE }}}}
          command: {ENTRYPOINT}
          args: {args}
          envFrom: [{{ secretRef: {{ name: learning-credentials }} }}]
          env: [{{ name: ADMIN_PORT, value: "{admin_port}" }}]
          ports: {ports}
          readinessProbe: {{ httpGet: {{ path: /readyz, port: {admin_port} }}, periodSeconds: 5 }}
          livenessProbe: {{ httpGet: {{ path: /livez, port: {admin_port} }}, periodSeconds: 10, failureThreshold: 6 }}
          startupProbe: {{ httpGet: {{ path: /livez, port: {admin_port} }}, periodSeconds: 1, failureThreshold: 60 }}
          resources: {{ requests: {{ memory: 256Mi }}, limits: {{ memory: 768Mi }} }}
{CONTAINER}          volumeMounts: [{{ name: data, mountPath: /data }}, {{ name: {name}-tmp, mountPath: /tmp }}]
"""


PATCHES = {
    "local-docker-compose-services": """
learning-credentials-db:
  image: {{ LEARNING_CREDENTIALS_DOCKER_IMAGE_POSTGRES }}
  environment: {{ learning_credentials_database_environment()|tojson|replace("$", "$$") }}
  restart: unless-stopped
  volumes: ["../../data/learning-credentials-db:/var/lib/postgresql:z"]
learning-credentials:
  command: ["serve", "--no-worker"]
"""
    + COMPOSE_SERVICE
    + """learning-credentials-worker:
  command: ["worker"]
"""
    + COMPOSE_SERVICE,
    "local-docker-compose-jobs-services": """
learning-credentials-job:
  image: {{ LEARNING_CREDENTIALS_DOCKER_IMAGE }}
  entrypoint: []
  environment: {{ learning_credentials_job_environment()|tojson|replace("$", "$$") }}
  depends_on: [learning-credentials-db]
""",
    "local-docker-compose-permissions-volumes": "- ../../data/learning-credentials:/mounts/learning-credentials:z",
    "local-docker-compose-permissions-command": "setowner 1000 /mounts/learning-credentials",
    "local-docker-compose-caddy-aliases": '- "{{ LEARNING_CREDENTIALS_HOST }}"',
    # Removes secrets from URLs in the log, because these URLs give access to a file, a badge or a session.
    "caddyfile-global": """{% if LEARNING_CREDENTIALS_FILTER_PROXY_LOG %}
log {
    format filter {
        wrap json
        fields {
            request>uri regexp ^/(download|wallet|files|console/sign-in)/.* /$1/
        }
    }
}
{% endif %}""",
    # Clients of the plug-in send their requests to the LMS.
    "caddyfile-lms": """handle /api/learning_credentials/* {
    reverse_proxy learning-credentials:8080
}
""",
    # Without an access log, because the service has one that contains no secret URLs. The service also limits the size
    # of requests.
    "caddyfile": """
{{ LEARNING_CREDENTIALS_HOST }}{$default_site_port} {
    @grpc header_regexp Content-Type ^application/grpc(?:[+;]|$)
    handle @grpc {
        reverse_proxy h2c://learning-credentials:50051
    }
    handle {
        reverse_proxy learning-credentials:8080
    }
}
""",
    "openedx-lms-common-settings": 'LOGIN_REDIRECT_WHITELIST.append("{{ LEARNING_CREDENTIALS_HOST }}")',
    "k8s-deployments": """
---
apiVersion: v1
kind: Secret
metadata:
  name: learning-credentials
  labels: { app.kubernetes.io/name: learning-credentials }
stringData: {{ learning_credentials_environment()|tojson }}
---
apiVersion: v1
kind: Secret
metadata:
  name: learning-credentials-owner
  labels: { app.kubernetes.io/name: learning-credentials }
stringData: {{ learning_credentials_job_environment()|tojson }}
---
apiVersion: v1
kind: Secret
metadata:
  name: learning-credentials-db
  labels: { app.kubernetes.io/name: learning-credentials-db }
stringData: {{ learning_credentials_database_environment()|tojson }}
---
apiVersion: apps/v1
kind: Deployment
metadata:
  name: learning-credentials-db
  labels: { app.kubernetes.io/name: learning-credentials-db }
spec:
  selector: { matchLabels: { app.kubernetes.io/name: learning-credentials-db } }
  strategy: { type: Recreate }
  template:
    metadata:
      labels: { app.kubernetes.io/name: learning-credentials-db }
    spec:
"""
    + POD % {"user": 999}
    + """      containers:
        - name: postgres
          image: {{ LEARNING_CREDENTIALS_DOCKER_IMAGE_POSTGRES }}
          envFrom: [{ secretRef: { name: learning-credentials-db } }]
          ports: [{ containerPort: 5432 }]
          readinessProbe: { tcpSocket: { port: 5432 } }
          resources: { requests: { memory: 256Mi } }
          securityContext: { allowPrivilegeEscalation: false, capabilities: { drop: [ALL] } }
          volumeMounts: [{ name: data, mountPath: /var/lib/postgresql }]
      volumes:
        - name: data
          persistentVolumeClaim: { claimName: learning-credentials-db }
---
apiVersion: apps/v1
kind: Deployment
metadata:
  name: learning-credentials
  labels: { app.kubernetes.io/name: learning-credentials }
spec:
  selector: { matchLabels: { app.kubernetes.io/name: learning-credentials } }
  strategy: { type: Recreate }
  template:
    metadata:
      labels: { app.kubernetes.io/name: learning-credentials }
      annotations: { checksum/settings: {{ learning_credentials_environment()|learning_credentials_checksum }} }
    spec:
      terminationGracePeriodSeconds: 50
"""
    + POD % {"user": 1000}
    + "      containers:\n"
    + service_container(
        "serve", '["serve", "--no-worker"]', 9464, "[{ containerPort: 8080 }, { containerPort: 50051 }, { containerPort: 9464 }]"
    )
    + service_container("worker", '["worker"]', 9465, "[{ containerPort: 9465 }]")
    + """      volumes:
        - name: data
          persistentVolumeClaim: { claimName: learning-credentials }
        - { name: serve-tmp, emptyDir: {} }
        - { name: worker-tmp, emptyDir: {} }
""",
    "k8s-services": """
---
apiVersion: v1
kind: Service
metadata:
  name: learning-credentials
  labels: { app.kubernetes.io/name: learning-credentials }
spec:
  selector: { app.kubernetes.io/name: learning-credentials }
  ports: [{ name: http, port: 8080 }, { name: grpc, port: 50051 }]
---
apiVersion: v1
kind: Service
metadata:
  name: learning-credentials-db
  labels: { app.kubernetes.io/name: learning-credentials-db }
spec:
  selector: { app.kubernetes.io/name: learning-credentials-db }
  ports: [{ port: 5432 }]
""",
    "k8s-volumes": "".join(
        f"""
---
apiVersion: v1
kind: PersistentVolumeClaim
metadata:
  name: {name}
  labels: {{ app.kubernetes.io/component: volume, app.kubernetes.io/name: {name} }}
spec:
  accessModes: [ReadWriteOnce]
  resources: {{ requests: {{ storage: 5Gi }} }}
"""
        for name in ["learning-credentials", "learning-credentials-db"]
    ),
    # Tutor replaces the empty command with a shell.
    "k8s-jobs": """
---
apiVersion: batch/v1
kind: Job
metadata:
  name: learning-credentials-job
  labels: { app.kubernetes.io/component: job }
spec:
  template:
    spec:
      restartPolicy: Never
"""
    + POD % {"user": 1000}
    + """      containers:
        - name: migrate
          image: {{ LEARNING_CREDENTIALS_DOCKER_IMAGE }}
          command: []
          envFrom: [{ secretRef: { name: learning-credentials-owner } }]
"""
    + CONTAINER
    + """          volumeMounts: [{ name: data, mountPath: /data }, { name: tmp, mountPath: /tmp }]
      volumes:
        - { name: data, emptyDir: {} }
        - { name: tmp, emptyDir: {} }
""",
}
hooks.Filters.ENV_PATCHES.add_items(list(PATCHES.items()))

# Creates the LMS account with which the service reads courses, learners and grades. The account is staff, but not a
# superuser, and has no password. Its OAuth2 applications have only the scopes that are stated here.
LMS_INIT = """
username='{{ LEARNING_CREDENTIALS_SERVICE_USERNAME }}'
./manage.py lms manage_user "$username" "$username@openedx" --staff --unusable-password
./manage.py lms create_dot_application --update \\
  --grant-type client-credentials \\
  --client-id '{{ LEARNING_CREDENTIALS_OAUTH2_KEY }}' \\
  --client-secret '{{ LEARNING_CREDENTIALS_OAUTH2_SECRET }}' \\
  learning-credentials "$username"
{% if ENABLE_HTTPS %}
./manage.py lms create_dot_application --update --skip-authorization \\
  --grant-type authorization-code \\
  --redirect-uris 'https://{{ LEARNING_CREDENTIALS_HOST }}/console/sign-in/callback' \\
  --client-id '{{ LEARNING_CREDENTIALS_OAUTH2_KEY_SSO }}' \\
  --client-secret '{{ LEARNING_CREDENTIALS_OAUTH2_SECRET_SSO }}' \\
  --scopes user_id,profile,email \\
  learning-credentials-sso "$username"
{% endif %}
./manage.py lms waffle_flag --list | grep -q grades.writable_gradebook \\
  || ./manage.py lms waffle_flag --create --everyone grades.writable_gradebook
"""
MIGRATE = """
attempts=0
until node dist/src/main.js migrate up; do
  attempts=$((attempts + 1))
  if [ "$attempts" = 10 ]; then exit 1; fi
  echo "Retrying in 3 seconds, in case the database is still starting."
  sleep 3
done
"""
hooks.Filters.CLI_DO_INIT_TASKS.add_items([("lms", LMS_INIT), ("learning-credentials", MIGRATE)])
