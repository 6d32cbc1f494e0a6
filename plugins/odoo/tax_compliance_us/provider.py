"""The provider `tax_compliance` for the US sales tax engine: rates by the TaxJar form of the service."""

import logging
from datetime import date
from decimal import Decimal
from urllib.parse import quote

import requests

from odoo import models
from odoo.addons.l10n_us_sales_tax_engine.services.provider_base import (
    ProviderBase,
    ProviderError,
)

_logger = logging.getLogger(__name__)


class ProviderTaxCompliance(ProviderBase):
    CODE = "tax_compliance"
    NAME = "Tax Compliance Service"

    def validate_credentials(self):
        try:
            self._get("categories", {})
        except ProviderError as error:
            _logger.warning("%s", error)
            return False
        return True

    def get_rate(self, payload):
        zip_code = (payload.get("zip") or "").strip()
        if not zip_code:
            raise ProviderError(f"{self.NAME}: the address has no ZIP")
        today = date.today().isoformat()
        if payload.get("date") and payload["date"] != today:
            _logger.warning("%s: a document of %s gets the rates of today", self.NAME, payload["date"])
        place = {name: payload.get(name) or None for name in ("state", "city")}
        raw = self._get(f"rates/{quote(zip_code, safe='')}", place).get("rate")
        rates = self.normalize_response(raw)
        self.record.increment_call_counter()
        return {**rates, "source_date": today}

    def normalize_response(self, raw):
        try:
            total = Decimal(raw["combined_rate"])
            state, county, city = (Decimal(raw[f"{level}_rate"]) for level in ("state", "county", "city"))
        except (ArithmeticError, KeyError, TypeError) as error:
            # A rate that is missing is no rate of 0.
            raise ProviderError(f"{self.NAME}: the answer has no rates") from error
        return {
            "state_rate": float(state),
            "county_rate": float(county),
            "city_rate": float(city),
            "district_rate": float(total - state - county - city),
            "total_rate": float(total),
            "source_date": None,
            "raw_response": raw,
        }

    def _get(self, path, params):
        base = self.env["ir.config_parameter"].sudo().get_param("tax_compliance.base_url")
        if not base:
            raise ProviderError(f"{self.NAME}: set the system parameter tax_compliance.base_url")
        try:
            answer = requests.get(
                f"{base.rstrip('/')}/v2/{path}",
                params=params,
                headers={"Authorization": f"Bearer {self.get_api_key()}"},
                timeout=self.timeout,
                allow_redirects=False,
            )
            body = answer.json()
        except (requests.RequestException, ValueError) as error:
            raise ProviderError(f"{self.NAME}: no answer: {type(error).__name__}") from error
        if answer.status_code != 200:
            detail = body.get("detail") if isinstance(body, dict) else None
            raise ProviderError(f"{self.NAME}: {answer.status_code} {detail or 'without a reason'}")
        return body if isinstance(body, dict) else {}


class UsTaxProvider(models.Model):
    _inherit = "us.tax.provider"

    def _provider_service_classes(self):
        return {**super()._provider_service_classes(), ProviderTaxCompliance.CODE: ProviderTaxCompliance}
