"""What the US sales tax engine does if no provider answers: no document gets a tax of 0 that nobody sees."""

from odoo import models
from odoo.addons.l10n_us_sales_tax_engine.services.provider_base import ProviderError

WARNING = "No sales tax was calculated, because the tax service gave no rate. Calculate it before you confirm."


class UsTaxEngineService(models.AbstractModel):
    _inherit = "us.tax.engine.service"

    def _handle_all_failed(self, fail_policy, cache_hash, last_error, address):
        rates = super()._handle_all_failed(fail_policy, cache_hash, last_error, address)
        if fail_policy == "last_cache" and rates.get("source") == "error":
            raise ProviderError(f"US Tax: no last rate for ZIP={address.get('zip')}. Last error: {last_error}")
        return rates

    def calculate_for_sale_order(self, order):
        return _marked(order, super().calculate_for_sale_order(order))

    def calculate_for_invoice(self, move):
        return _marked(move, super().calculate_for_invoice(move))


def _marked(document, result):
    """The policy `warn` leaves lines without tax: a message on the document says so."""
    if any(line.get("source") == "error" for line in result.get("lines", [])):
        document.message_post(body=WARNING)
    return result
