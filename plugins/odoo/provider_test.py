"""Tests the shipped class against a running service. Only Odoo itself is replaced: its imports and records."""

import json
import os
import random
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


NOTHING = dict.fromkeys(["total_rate", "state_rate", "county_rate", "city_rate", "district_rate"], 0.0)


class Engine:
    """The members of us.tax.engine.service 18.0 that the addon extends, with no provider that answers."""

    def __init__(self, fail_policy, cached=None):
        self.fail_policy = fail_policy
        self.cached = cached

    def _handle_all_failed(self, fail_policy, cache_hash, last_error, address):
        if fail_policy == "block":
            raise ProviderError(f"US Tax: all providers failed for ZIP={address.get('zip')}")
        if fail_policy == "last_cache" and self.cached:
            return {**self.cached, "source": "cache_expired"}
        return {**NOTHING, "source": "error"}

    def calculate_for_sale_order(self, order):
        rates = self._handle_all_failed(self.fail_policy, "", "away", {"zip": "10001"})
        return {"source": rates["source"], "lines": [{"source": rates["source"], "rate": rates["total_rate"]}]}

    calculate_for_invoice = calculate_for_sale_order


def stub(name, **members):
    module = types.ModuleType(name)
    module.__path__ = []
    vars(module).update(members)
    sys.modules[name] = module


stub("odoo", models=types.SimpleNamespace(Model=Model, AbstractModel=Engine))
stub("odoo.addons")
stub("odoo.addons.l10n_us_sales_tax_engine")
stub("odoo.addons.l10n_us_sales_tax_engine.services")
stub(
    "odoo.addons.l10n_us_sales_tax_engine.services.provider_base",
    ProviderBase=ProviderBase,
    ProviderError=ProviderError,
)

from tax_compliance_us import post_init_hook  # noqa: E402
from tax_compliance_us.engine import UsTaxEngineService  # noqa: E402
from tax_compliance_us.provider import ProviderTaxCompliance, UsTaxProvider  # noqa: E402


class Document:
    def __init__(self):
        self.messages = []

    def message_post(self, body):
        self.messages.append(body)


class Settings(dict):
    def sudo(self):
        return self

    get_param = dict.get
    set_param = dict.__setitem__


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


def request(method, path, body):
    headers = {"Authorization": f"Bearer {KEY}"}
    answer = requests.request(method, f"{URL}{path}", headers=headers, json=body, timeout=30)
    answer.raise_for_status()
    return answer.json()


def cents(amount):
    return int((amount * 100).quantize(Decimal(1), ROUND_HALF_UP))


def odoo_tax(lines, rates, globally):
    """The tax of an order by the rules of Odoo 18: of each line, or of the sum of the lines, for each tax."""
    percent = [Decimal(str(round(rate * 100, 4))) / 100 for rate in rates if rate > 0]
    if globally:
        return sum(cents(sum(lines) * rate) for rate in percent)
    return sum(cents(line * rate) for line in lines for rate in percent)


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


class EngineTest(unittest.TestCase):
    def test_the_default_is_to_block(self):
        for before, after in ((None, "block"), ("warn", "block"), ("last_cache", "last_cache")):
            settings = Settings({} if before is None else {"l10n_us_tax.fail_policy": before})
            post_init_hook({"ir.config_parameter": settings})
            self.assertEqual(settings["l10n_us_tax.fail_policy"], after)

    def test_no_policy_is_a_silent_zero(self):
        for name in ("calculate_for_sale_order", "calculate_for_invoice"):
            for policy in ("block", "last_cache"):
                with self.assertRaises(ProviderError):
                    getattr(UsTaxEngineService(policy), name)(Document())
            document = Document()
            getattr(UsTaxEngineService("warn"), name)(document)
            self.assertRegex(document.messages[0], "No sales tax was calculated")

    def test_the_last_rate_serves(self):
        document = Document()
        engine = UsTaxEngineService("last_cache", {**NOTHING, "total_rate": 0.08875})
        self.assertEqual(engine.calculate_for_sale_order(document)["lines"][0]["rate"], 0.08875)
        self.assertEqual(document.messages, [])


class RandomOrdersTest(unittest.TestCase):
    """1,000 orders of goods: Odoo's totals by the rates of the provider, and the answers of the service."""

    ORDERS = 1000
    PLACES = (("94111", "CA", "San Francisco"), ("10001", "NY", "New York"), ("60601", "IL", "Chicago"))

    @classmethod
    def setUpClass(cls):
        switch(True)
        cls.addClassCleanup(switch, False)

    def test_one_tax_a_line_is_ours_to_the_cent(self):
        chance = random.Random(20261126)
        seller = {"country": "US", "region": "CA", "registrations": [f"US-{state}" for _, state, _ in self.PLACES]}
        rates = {zip_code: provider().get_rate(place(zip_code, state, city)) for zip_code, state, city in self.PLACES}
        others = {"levels by line": 0, "levels globally": 0}
        for _ in range(self.ORDERS):
            zip_code, state, city = chance.choice(self.PLACES)
            prices = [chance.randint(1, 100_000) for _ in range(chance.randint(1, 6))]
            lines = [Decimal(price) / 100 for price in prices]
            own = rates[zip_code]
            total = [own["total_rate"]]
            levels = [own[f"{level}_rate"] for level in ("state", "county", "city", "district")]
            address = {"country": "US", "region": state, "postal_code": zip_code, "city": city}
            sale = {
                "currency": "USD",
                "seller": seller,
                "customer": {"address": address},
                "line_items": [{"amount": price, "product_type": "physical_goods"} for price in prices],
            }
            for rounding, globally in (("line", False), ("document", True)):
                ours = request("POST", "/v1/calculate", {**sale, "rounding": rounding})["tax_amount"]
                self.assertEqual(odoo_tax(lines, total, globally), ours, (zip_code, prices, rounding))
                apart = abs(odoo_tax(lines, levels, globally) - ours)
                name = "levels globally" if globally else "levels by line"
                others[name] += apart > 0
                # Each of the taxes of a line, or of the order, is rounded by itself.
                taxes = sum(rate > 0 for rate in levels) * (1 if globally else len(lines))
                self.assertLessEqual(apart, taxes)
        print(f"Orders of {self.ORDERS} that differ with a tax for each level: {others}")


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
