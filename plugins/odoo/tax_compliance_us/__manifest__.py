{
    "name": "US sales tax: Tax Compliance Service",
    "version": "18.0.1.0.0",
    "summary": "Rates of the Tax Compliance Service for the US sales tax engine",
    "author": "Tax Compliance Service",
    "license": "Other OSI approved licence",
    "depends": ["l10n_us_sales_tax_engine"],
    "external_dependencies": {"python": ["requests"]},
    "post_init_hook": "post_init_hook",
    "data": ["data/us_tax_provider.xml"],
}
