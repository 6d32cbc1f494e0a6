"""Tests the shipped class against a running service. Only Odoo itself is replaced: its imports and records."""

import json
import os
import socket
import sys
import threading
import types
import unittest
from abc import ABC, abstractmethod
from decimal import ROUND_HALF_UP, Decimal
from http.server import BaseHTTPRequestHandler, HTTPServer

try:
    import requests
except ImportError:
    print("Skipped: python3 has no package requests, which Odoo has")
    sys.exit(77)

URL, KEY = os.environ["TAX_URL"], os.environ["TAX_API_KEY"]


class ProviderError(Exception):
    pass


class ProviderBase(ABC):
    """The members of the class of l10n_us_sales_tax_engine 18.0 that a provider has to have or uses."""

    def __init__(self, record):
        self.record = record
        self.env = record.env
        self.timeout = record.timeout or 5

    @abstractmethod
    def validate_credentials(self): ...

    @abstractmethod
    def get_rate(self, payload): ...

    @abstractmethod
    def normalize_response(self, raw): ...

    def get_api_key(self):
        return self.record.get_api_key()


class Model:
    def _provider_service_classes(self):
        return {"local": object}


def stub(name, **members):
    module = types.ModuleType(name)
    module.__path__ = []
    vars(module).update(members)
    sys.modules[name] = module


stub("odoo", models=types.SimpleNamespace(Model=Model))
stub("odoo.addons")
stub("odoo.addons.l10n_us_sales_tax_engine")
stub("odoo.addons.l10n_us_sales_tax_engine.services")
stub(
    "odoo.addons.l10n_us_sales_tax_engine.services.provider_base",
    ProviderBase=ProviderBase,
    ProviderError=ProviderError,
)

from tax_compliance_us.provider import ProviderTaxCompliance, UsTaxProvider  # noqa: E402


class Parameters:
    def __init__(self, base_url):
        self.base_url = base_url

    def sudo(self):
        return self

    def get_param(self, name, default=False):
        return self.base_url if name == "tax_compliance.base_url" else default


class Record:
    def __init__(self, base_url=URL, key=KEY, timeout=5):
        self.env = {"ir.config_parameter": Parameters(base_url)}
        self.key = key
        self.timeout = timeout
        self.calls = 0

    def get_api_key(self):
        return self.key

    def increment_call_counter(self):
        self.calls += 1


def provider(**settings):
    return ProviderTaxCompliance(Record(**settings))


def place(zip_code, state, city):
    return {"zip": zip_code, "state": state, "city": city, "county": "", "product_category": "TANGIBLE"}


SAN_FRANCISCO = {**place("94111", "CA", "San Francisco"), "address": "600 Montgomery St", "date": "2026-11-20"}
NEW_YORK = place("10001", "NY", "New York")


def free_port():
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        return taken.getsockname()[1]


class Redirecting(BaseHTTPRequestHandler):
    """Sends its caller on to the service, and keeps what it was asked."""

    def do_GET(self):
        self.send_response(302)
        self.send_header("Location", URL + self.path)
        self.send_header("Content-Length", "2")
        self.end_headers()
        self.wfile.write(b"{}")

    def log_message(self, *_):
        pass


def switch(enabled):
    answer = requests.put(
        f"{URL}/v1/account",
        headers={"Authorization": f"Bearer {KEY}"},
        json={"taxjar_api": {"enabled": enabled}},
        timeout=30,
    )
    answer.raise_for_status()


class ProviderTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        switch(True)
        cls.addClassCleanup(switch, False)

    def refuses(self, words, payload=NEW_YORK, **settings):
        asked = provider(**settings)
        with self.assertRaisesRegex(ProviderError, words):
            asked.get_rate(payload)
        self.assertEqual(asked.record.calls, 0)

    def test_the_engine_finds_it_beside_its_own(self):
        classes = UsTaxProvider()._provider_service_classes()
        self.assertEqual(sorted(classes), ["local", "tax_compliance"])
        self.assertIs(classes["tax_compliance"], ProviderTaxCompliance)

    def test_san_francisco(self):
        asked = provider()
        rates = asked.get_rate(SAN_FRANCISCO)
        parts = [rates[f"{level}_rate"] for level in ("state", "county", "city", "district")]
        self.assertEqual(rates["total_rate"], 0.08625)
        self.assertEqual(parts, [0.0725, 0.0, 0.01375, 0.0])
        self.assertEqual(rates["raw_response"]["zip"], "94111")
        self.assertEqual(asked.record.calls, 1)
        shape = {"source_date", "raw_response", "total_rate"}
        levels = {"state_rate", "county_rate", "city_rate", "district_rate"}
        self.assertEqual(set(rates), shape | levels)
        json.dumps(rates)

    def test_new_york_city(self):
        rates = provider().get_rate(NEW_YORK)
        tax = (Decimal("199.00") * Decimal(str(rates["total_rate"]))).quantize(Decimal("0.01"), ROUND_HALF_UP)
        self.assertEqual(tax, Decimal("17.66"))

    def test_the_parts_add_up(self):
        for payload in (SAN_FRANCISCO, NEW_YORK, place("80202", "CO", "Denver"), place("60601", "IL", "Chicago")):
            rates = provider().get_rate(payload)
            parts = [Decimal(str(rates[f"{level}_rate"])) for level in ("state", "county", "city", "district")]
            self.assertEqual(sum(parts), Decimal(str(rates["total_rate"])), payload["zip"])

    def test_credentials(self):
        self.assertTrue(provider().validate_credentials())
        self.assertFalse(provider(key="tcs_test_wrong").validate_credentials())
        self.assertFalse(provider(base_url=False).validate_credentials())

    def test_a_wrong_key(self):
        self.refuses("401", key="tcs_test_wrong")

    def test_a_place_without_local_rates_is_no_zero(self):
        self.refuses("400 .*not covered", place("00000", "NY", ""))

    def test_an_answer_without_rates_is_no_zero(self):
        for raw in (None, {}, {"combined_rate": "0.08"}, {"combined_rate": "no"}):
            with self.assertRaisesRegex(ProviderError, "no rates"):
                provider().normalize_response(raw)

    def test_no_zip_and_no_address_of_the_service(self):
        self.refuses("no ZIP", place("", "NY", "New York"))
        self.refuses("tax_compliance.base_url", base_url=False)

    def test_the_service_is_away(self):
        self.refuses("no answer: ConnectionError", base_url=f"http://127.0.0.1:{free_port()}")

    def test_the_service_is_silent(self):
        with socket.socket() as silent:
            silent.bind(("127.0.0.1", 0))
            silent.listen()
            self.refuses("no answer: ReadTimeout", base_url=f"http://127.0.0.1:{silent.getsockname()[1]}", timeout=0.2)

    def test_the_key_follows_no_redirect(self):
        server = HTTPServer(("127.0.0.1", 0), Redirecting)
        threading.Thread(target=server.serve_forever, daemon=True).start()
        self.addCleanup(server.server_close)
        self.addCleanup(server.shutdown)
        self.refuses("302", base_url=f"http://127.0.0.1:{server.server_port}")


if __name__ == "__main__":
    unittest.main()
