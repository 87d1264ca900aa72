"""Renders the plug-in for Tutor as Tutor would, where Tutor itself can't be installed: with Debian's Jinja, and with what
Tutor's own source (overhangio/tutor f9c2a391) gives to plug-ins, templates and settings.

Usage: render-tutor.py PLUGIN SETTINGS_JSON. Prints patches, init tasks and settings as JSON.
"""

import base64
import importlib.util
import json
import secrets
import string
import sys
import types

import Cryptodome.PublicKey.ECC
import Cryptodome.PublicKey.RSA
import jinja2


class Items(list):
    """A filter that collects."""

    add_items = list.extend
    add_item = list.append

    def add(self):
        return lambda function: self.append(function) or function


class Filters:
    CONFIG_DEFAULTS = Items()
    CONFIG_UNIQUE = Items()
    ENV_PATCHES = Items()
    ENV_TEMPLATE_FILTERS = Items()
    ENV_TEMPLATE_VARIABLES = Items()
    CLI_DO_INIT_TASKS = Items()
    APP_PUBLIC_HOSTS = Items()


tutor = types.ModuleType("tutor")
tutor.hooks = types.SimpleNamespace(Filters=Filters)
sys.modules["tutor"] = tutor
sys.modules["Crypto"] = sys.modules["Cryptodome"]
sys.modules["Crypto.PublicKey"] = sys.modules["Cryptodome.PublicKey"]

plugin, settings = sys.argv[1:]
spec = importlib.util.spec_from_file_location("plugin", plugin)
spec.loader.exec_module(importlib.util.module_from_spec(spec))

letters = string.ascii_letters + string.digits
environment = jinja2.Environment(undefined=jinja2.StrictUndefined)
environment.filters.update(
    {
        "random_string": lambda length: "".join(secrets.choice(letters) for _ in range(length)),
        "rsa_import_key": Cryptodome.PublicKey.RSA.import_key,
        "long_to_base64": lambda number: base64.urlsafe_b64encode(number.to_bytes((number.bit_length() + 7) // 8, "big"))
        .decode()
        .rstrip("="),
        **dict(Filters.ENV_TEMPLATE_FILTERS),
    }
)
environment.globals.update(dict(Filters.ENV_TEMPLATE_VARIABLES))


def render(text, config):
    return environment.from_string(text).render(**config) if isinstance(text, str) else text


config = {
    "CONTACT_EMAIL": "contact@{{ LMS_HOST }}",
    "ENABLE_HTTPS": False,
    "ENABLE_WEB_PROXY": True,
    "JWT_COMMON_AUDIENCE": "openedx",
    "JWT_COMMON_ISSUER": "{{ 'https' if ENABLE_HTTPS else 'http' }}://{{ LMS_HOST }}/oauth2",
    "JWT_RSA_PRIVATE_KEY": Cryptodome.PublicKey.RSA.generate(2048).export_key().decode(),
    "LANGUAGE_CODE": "en",
    "LMS_HOST": "local.openedx.io",
    "PLATFORM_NAME": "My Open edX",
    "SMTP_HOST": "smtp",
    "SMTP_PORT": 8025,
    "SMTP_USERNAME": "",
    "SMTP_PASSWORD": "",
    "SMTP_USE_TLS": False,
    "SMTP_USE_SSL": False,
    **dict(Filters.CONFIG_UNIQUE),
    **dict(Filters.CONFIG_DEFAULTS),
    **json.loads(settings),
}
for name, value in config.items():
    config[name] = render(value, config)

print(
    json.dumps(
        {
            "patches": {name: render(text, config) for name, text in Filters.ENV_PATCHES},
            "tasks": [[service, render(text, config).strip()] for service, text in Filters.CLI_DO_INIT_TASKS],
            "hosts": [render(host, config) for host in Filters.APP_PUBLIC_HOSTS[0]([], "local")],
            "config": config,
        }
    )
)
