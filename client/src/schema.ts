// Made by `npm run client:generate` from the OpenAPI document aaaee110500a641a. Do not edit.

export type AccountAnswer = {
    id: string;
    name: string;
    tier: Tier;
    sandbox: boolean;
    country: string | null;
    region: string | null;
    postal_code: string | null;
    vat_id: string | null;
    vat_id_policy: VatIdPolicy;
    small_business: boolean;
    /** @description Whether the recorded sales passed the 10,000 EUR of art. 59c, by the last nightly comparison */
    over_eu_threshold: boolean;
    time_zone: string;
    /** @description A new time zone is being applied to the recorded sales */
    days_moving: boolean;
    filing: FilingProfile;
    taxjar_api: TaxJarProfile;
    /** Format: date-time */
    created_at: string;
    /** Format: date-time */
    updated_at: string;
    /** @description Matters that somebody should look at */
    attention: Attention[];
    /** Format: date-time */
    queried_at: string;
};
export type AccountRequest = {
    name?: string;
    /** @description Where the seller is established */
    country?: string | null;
    region?: string | null;
    postal_code?: string | null;
    vat_id?: string | null;
    /** @description Whether a customer's VAT id counts if its format is valid, or only if the authority confirmed it */
    vat_id_policy?: VatIdPolicy;
    /** @description The seller uses the small-business scheme of its country, so it charges no tax there */
    small_business?: boolean;
    /** @description Days of reports, periods and thresholds are days there. Default: by country and region */
    time_zone?: string;
    filing?: {
        /** @description The stagger group of UK quarters: 1 ends in March, 2 in April, 3 in May */
        uk_stagger?: number;
        /** @description The first month of a year. A year has the number of the calendar year in which it ends */
        fiscal_year_start?: number;
    };
    taxjar_api?: TaxJarProfileRequest;
};
export type Address = {
    country: string;
    region: string | null;
    city: string | null;
    postal_code: string | null;
    line1: string | null;
    line2: string | null;
};
export type AddressChange = {
    field: AddressField;
    from: string | null;
    to: string | null;
};
/** @enum {string} */
export type AddressField = "country" | "region" | "city" | "postal_code" | "line1" | "line2";
export type AddressIssue = {
    field: AddressField;
    code: string;
    message: string;
};
export type AddressRequest = {
    /** @description ISO 3166-1 alpha-2. `EL` is read as `GR`, `UK` as `GB`. `XI` is Northern Ireland */
    country: string;
    /** @description State, province or region: its code or its name */
    region?: string | null;
    city?: string | null;
    postal_code?: string | null;
    line1?: string | null;
    line2?: string | null;
};
export type AllExemptionsAnswer = {
    exemptions: CustomerExemption[];
    limit: number;
    has_more: boolean;
    next_cursor: string | null;
    /** Format: date-time */
    queried_at: string;
};
export type ApiKey = {
    id: string;
    name: string | null;
    /** @description The first 12 characters of the key */
    prefix: string;
    scopes: Scope[];
    expires_at: string | null;
    /** @description The day of the last use; the time is not recorded */
    last_used_at: string | null;
    /** @description In the future for a rotated key that is still valid */
    revoked_at: string | null;
    /** Format: date-time */
    created_at: string;
};
export type ApiKeysAnswer = {
    api_keys: ApiKey[];
    total: number;
    limit: number;
    offset: number;
    has_more: boolean;
    /** Format: date-time */
    queried_at: string;
};
export type AppliedExemption = {
    id: string;
    jurisdiction_id: string;
    exemption_type: ExemptionType;
    valid_from: string;
    valid_to: string | null;
};
export type Attention = {
    /** @constant */
    reason: "webhook_disabled";
    resource_id: string;
    message: string;
    since: string | null;
};
export type AuditEvent = {
    id: string;
    key_id: string;
    action: string;
    resource_id: string;
    changed: string[];
    /** @description The stored fields that changed. `sha256:…` is the salted hash of personal or secret data */
    values: {
        [key: string]: AuditedField;
    } | null;
    /** @description Null: the event is sealed within minutes */
    seal: AuditSeal | null;
    request_id: string;
    /** Format: date-time */
    created_at: string;
};
export type AuditEventsAnswer = {
    audit_events: AuditEvent[];
    /** @description The end of each chain of the account. Note it down: a later check must find it unchanged */
    last_seals: AuditSeal[];
    limit: number;
    has_more: boolean;
    next_cursor: string | null;
    /** Format: date-time */
    queried_at: string;
};
export type AuditSeal = {
    /** @description An account whose books have moved has several chains */
    chain: number;
    /** @description From 1 */
    position: number;
    /** @description SHA-256 over the event and the seal before it */
    hash: string;
    /** Format: date-time */
    sealed_at: string;
};
export type AuditedField = {
    old: string | number | null;
    new: string | number | null;
};
export type BatchSummary = {
    total: number;
    succeeded: number;
    failed: number;
};
export type CalculateAnswer = {
    currency: string;
    jurisdiction_id: string;
    jurisdiction_name: string;
    coverage: Coverage;
    local: LocalBlock | null;
    /** Format: date */
    transaction_date: string;
    customer: CalculationCustomer;
    /** @description In minor units of the currency */
    subtotal: number;
    /** @description In minor units of the currency */
    discount_amount: number;
    /** @description In minor units of the currency */
    tax_amount: number;
    /** @description In minor units of the currency */
    total: number;
    tax_rate: number;
    seller_registered: boolean;
    reverse_charge: boolean;
    line_items: TaxLine[];
    shipping_cost: ShippingTax | null;
    tax_breakdown: TaxBreakdownEntry[];
    decision: CollectDecision;
    exemption: AppliedExemption | null;
    notes: string[];
    trace?: TraceStep[];
    /** @description Only if the request has `compare` */
    comparison?: TaxComparison;
    meta: Meta;
    /** Format: date-time */
    queried_at: string;
};
export type CalculateBatchAnswer = {
    results: CalculateBatchResult[];
    summary: BatchSummary;
    /** Format: date-time */
    queried_at: string;
};
export type CalculateBatchRequest = {
    /** @description One that is refused does not affect the others and has its error in the results */
    calculations: CalculateRequest[];
};
export type CalculateBatchResult = {
    /** @description The position of the item in the request, from 0 */
    index: number;
    success: boolean;
    data?: Calculation;
    error?: ItemError;
};
export type CalculateLineRequest = {
    /** @description Your own name for the line; the answer contains it */
    reference?: string | null;
    /** @description The price of the whole line, in minor units; negative for a credit */
    amount: number;
    quantity?: number;
    product_type: ProductTypeOrCode;
    description?: string | null;
    /** @description Left out: the `tax_behavior` of the request */
    tax_behavior?: TaxBehavior;
    /** @description Taken off the amount before tax, in minor units */
    discount?: number;
    /** @description `false`: no tax on this line, even if the law taxes it */
    taxable?: boolean;
    /** @description An event that is streamed while it takes place */
    live?: boolean;
};
export type CalculateRequest = {
    /** @description ISO 4217 */
    currency: string;
    /** @description The day whose rates are used, in the time zone of the account. Left out: today there */
    transaction_date?: string | null;
    /** @description Left out: the account's profile and registrations */
    seller?: SellerRequest;
    customer_id?: string | null;
    customer?: SaleCustomerRequest;
    /** @description Where the goods leave from: a warehouse, the stock of a supplier. Left out: the place of the seller */
    ship_from?: AddressRequest | null;
    marketplace?: MarketplaceRequest | null;
    /** @description The place of an event, of a property or of a service that is taxed where it takes place */
    supply_address?: AddressRequest | null;
    line_items: CalculateLineRequest[];
    /** @description Taxed by the jurisdiction's rule for shipping */
    shipping_cost?: ShippingRequest | null;
    /** @description A discount on the whole sale, in minor units. Shared between the lines by their prices */
    discount_amount?: number;
    /** @description For all lines without one of their own. Left out: `exclusive` */
    tax_behavior?: TaxBehavior;
    /** @description Left out: `line` */
    rounding?: Rounding;
    /** @description Which rate to use if a ZIP of the United States has several. Left out: by the rule of the state */
    local_fallback?: ("lowest" | "largest" | "highest" | "state_only") | null;
    /** @description `true` adds `trace`: the rules that led to the result */
    explain?: boolean;
    /** @description Overrides the registrations for the jurisdiction of the sale */
    seller_registered?: boolean | null;
    /** @description Calculates with an earlier version of the tax data */
    data_version?: string | null;
    /** @description The tax that another service computed for this sale. Adds `comparison` to the answer */
    compare?: CompareRequest | null;
};
export type Calculation = {
    currency: string;
    jurisdiction_id: string;
    jurisdiction_name: string;
    coverage: Coverage;
    local: LocalBlock | null;
    /** Format: date */
    transaction_date: string;
    customer: CalculationCustomer;
    /** @description In minor units of the currency */
    subtotal: number;
    /** @description In minor units of the currency */
    discount_amount: number;
    /** @description In minor units of the currency */
    tax_amount: number;
    /** @description In minor units of the currency */
    total: number;
    tax_rate: number;
    seller_registered: boolean;
    reverse_charge: boolean;
    line_items: TaxLine[];
    shipping_cost: ShippingTax | null;
    tax_breakdown: TaxBreakdownEntry[];
    decision: CollectDecision;
    exemption: AppliedExemption | null;
    notes: string[];
    trace?: TraceStep[];
    /** @description Only if the request has `compare` */
    comparison?: TaxComparison;
    meta: Meta;
};
export type CalculationCustomer = {
    jurisdiction_id: string;
    vat_id_status: VatIdStatus;
};
export type CalendarFeedAnswer = {
    /** @description Null: the account has no address */
    created_at: string | null;
    /** Format: date-time */
    queried_at: string;
};
export type CalendarFeedDeleted = {
    /** @constant */
    deleted: true;
    /** Format: date-time */
    queried_at: string;
};
export type CertificateAnswer = {
    exemption_id: string;
    jurisdiction_id: string;
    exemption_type: string;
    certificate_number: string;
    /** Format: date */
    valid_from: string;
    valid_to: string | null;
    /** @description The ids of the lines that it covers */
    line_items: string[];
};
export type ChangedVatId = {
    customer_id: string;
    country_code: string;
    old_status: VatAnswer;
    new_status: VatAnswer;
    /** Format: date-time */
    checked_at: string;
};
/** @enum {string} */
export type CheckStatus = "pass" | "warn" | "fail";
export type CollectDecision = {
    collect: boolean;
    reason: DecisionReason;
    must_register: boolean;
};
/** @enum {string} */
export type CollectedRegionId = "EU" | "UK" | "US" | "US-TAX" | "CA" | "AU" | "TAXABILITY" | "NZ" | "FX-ECB" | "FX-HMRC" | "FX-BOC" | "US-LOCAL";
export type CollectorRun = {
    id: string;
    /** Format: date-time */
    started_at: string;
    duration_ms: number;
    /** @enum {string} */
    outcome: "applied" | "confirmed" | "quarantined" | "failed";
    records_seen: number;
    records_confirmed: number;
    records_changed: number;
    records_added: number;
    /** @description Changes that wait for a second source or for a person */
    records_held: number;
    sources: SourceOfPart[];
    documents: SourceDocument[];
    error: string | null;
};
export type CompareRequest = {
    /** @description Your name for the other service, such as `stripe` */
    provider: string;
    /** @description Its tax on the whole sale, shipping included */
    tax_amount: number;
    /** @description Its tax on each of the `line_items`, in their order */
    lines?: {
        tax_amount: number;
    }[];
};
export type CompletedSync = {
    region: string;
    records_updated: number;
    duration_ms: number;
};
export type CountriesAnswer = {
    countries: Country[];
    total: number;
    /** Format: date-time */
    queried_at: string;
};
export type Country = {
    code: string;
    name: string;
    tax_supported: boolean;
    has_regions: boolean;
    has_postal_codes: boolean;
};
export type CountryRegion = {
    id: string;
    code: string;
    name: string;
    type: string;
};
/** @enum {string} */
export type Coverage = "state" | "local" | "full";
export type CoverageAnswer = {
    coverage: ProductCoverage[];
    total: number;
    limit: number;
    offset: number;
    has_more: boolean;
    data_version: string;
    /** Format: date-time */
    queried_at: string;
};
export type CreatedTransaction = {
    transaction_id: string;
    external_id: string | null;
    status: string;
    jurisdiction_id: string;
    currency: string;
    total: number;
    tax_amount: number;
};
export type CreditNoteFor = {
    transaction_id?: string;
    external_id?: string;
    /** @description The day of the sale, if it is not recorded here */
    date?: string;
};
export type Customer = {
    id: string;
    external_id: string | null;
    email: string | null;
    name: string | null;
    address: Address | null;
    vat_id: string | null;
    vat_id_validated: boolean;
    vat_id_validated_at: string | null;
    vat_id_company_name: string | null;
    metadata: {
        [key: string]: string;
    };
    exemptions: Exemption[];
    /** Format: date-time */
    created_at: string;
    /** Format: date-time */
    updated_at: string;
};
export type CustomerAnswer = {
    id: string;
    external_id: string | null;
    email: string | null;
    name: string | null;
    address: Address | null;
    vat_id: string | null;
    vat_id_validated: boolean;
    vat_id_validated_at: string | null;
    vat_id_company_name: string | null;
    metadata: {
        [key: string]: string;
    };
    exemptions: Exemption[];
    /** Format: date-time */
    created_at: string;
    /** Format: date-time */
    updated_at: string;
    /** Format: date-time */
    queried_at: string;
};
export type CustomerExemption = {
    id: string;
    jurisdiction_id: string;
    exemption_type: ExemptionType;
    certificate_number: string;
    certificate_url: string | null;
    /** Format: date */
    valid_from: string;
    valid_to: string | null;
    status: ExemptionStatus;
    verification_notes: string | null;
    /** Format: date-time */
    created_at: string;
    /** Format: date-time */
    updated_at: string;
    customer_id: string;
    customer_name: string | null;
    customer_external_id: string | null;
};
export type CustomerRequest = {
    /** @description Your own reference, unique in the account */
    external_id?: string | null;
    email?: string | null;
    name?: string | null;
    /** @description Replaces the whole address */
    address?: AddressRequest | null;
    vat_id?: string | null;
    /** @description Up to 50 keys of your own */
    metadata?: {
        [key: string]: string;
    } | null;
};
/** @enum {string} */
export type CustomerType = "individual" | "business";
export type CustomerValidationAnswer = {
    customer: Customer;
    validation: VatValidation;
    /** Format: date-time */
    queried_at: string;
};
export type CustomersAnswer = {
    customers: Customer[];
    total: number;
    limit: number;
    offset: number;
    has_more: boolean;
    next_cursor: string | null;
    /** Format: date-time */
    queried_at: string;
};
export type DailyExchangeRates = {
    currency: string;
    /** @description Who published the rates */
    source: string;
    /** @description The number of days whose rates were used */
    days: number;
    /** @description By day, the newest 400. Figures use the exact quotient of the published rates */
    rates: {
        [key: string]: number;
    };
};
export type DecidingSellerRequest = {
    /** @description Where the seller is established */
    country: string;
    region?: string | null;
    postal_code?: string | null;
    /** @description Jurisdictions and schemes. Default: those of the account */
    registrations?: string[];
    /** @description The seller uses the small-business scheme of its country, so it charges no tax there */
    small_business?: boolean;
    /** @description Whether cross-border sales to consumers in the EU are over 10,000 EUR a year. Left out: the recorded sales decide */
    over_eu_threshold?: boolean;
    /** @description The turnover in all countries in the period of the threshold, which some countries count too. Left out: a note says if the answer depends on it */
    global_turnover?: {
        amount: number;
        currency: string;
    };
};
export type DecisionAnswer = {
    jurisdiction_id: string;
    collect: boolean;
    reason: DecisionReason;
    reasons: DecisionStep[];
    seller_registered: boolean;
    must_register: boolean;
    threshold: Threshold | null;
    progress: ThresholdProgress | null;
    explanation: string;
    notes: string[];
    meta: Meta;
    /** Format: date-time */
    queried_at: string;
};
/** @enum {string} */
export type DecisionReason = "not_subject_to_tax" | "established_here" | "registered" | "registration_assumed" | "threshold_exceeded" | "approaching_threshold" | "below_threshold" | "reverse_charge" | "marketplace_collects" | "small_business" | "customer_exempt" | "product_exempt";
export type DecisionRequest = {
    /** @description Where the sale is taxed. Left out: the jurisdiction of the address */
    jurisdiction_id?: string;
    seller?: DecidingSellerRequest;
    seller_registered?: boolean | null;
    customer_id?: string | null;
    customer?: SaleCustomerRequest;
    /** @description Where the goods leave from. Left out: the place of the seller */
    ship_from?: AddressRequest | null;
    marketplace?: MarketplaceRequest | null;
    product_type?: ProductTypeOrCode;
    /** @description The price, in minor units of `currency` */
    amount?: number;
    currency?: string;
    /** @description Left out: today */
    date?: string;
    /** @description Sales into the jurisdiction in the period of its threshold. Left out: the recorded transactions */
    sales?: RecordedSalesRequest;
};
export type DecisionStep = {
    code: DecisionReason;
    /** @enum {string} */
    outcome: "yes" | "no";
    detail: string;
};
export type DeletedAnswer = {
    id: string;
    /** @constant */
    deleted: true;
    /** Format: date-time */
    queried_at: string;
};
export type DeliveriesAnswer = {
    deliveries: Delivery[];
    limit: number;
    has_more: boolean;
    next_cursor: string | null;
    /** Format: date-time */
    queried_at: string;
};
export type Delivery = {
    id: string;
    webhook_id: string;
    event_id: string;
    event: string;
    status: DeliveryStatus;
    /** @description Null if there will be no further attempt */
    next_attempt_at: string | null;
    attempts: DeliveryAttempt[];
    /** Format: date-time */
    created_at: string;
    /** Format: date-time */
    updated_at: string;
};
export type DeliveryAnswer = {
    id: string;
    webhook_id: string;
    event_id: string;
    event: string;
    status: DeliveryStatus;
    /** @description Null if there will be no further attempt */
    next_attempt_at: string | null;
    attempts: DeliveryAttempt[];
    /** Format: date-time */
    created_at: string;
    /** Format: date-time */
    updated_at: string;
    /** Format: date-time */
    queried_at: string;
};
export type DeliveryAttempt = {
    attempt: number;
    /** Format: date-time */
    attempted_at: string;
    response_status: number | null;
    error: string | null;
    duration_ms: number;
};
/** @enum {string} */
export type DeliveryStatus = "pending" | "succeeded" | "failed" | "expired";
export type DeliveryWithPayloadAnswer = {
    id: string;
    webhook_id: string;
    event_id: string;
    event: string;
    status: DeliveryStatus;
    /** @description Null if there will be no further attempt */
    next_attempt_at: string | null;
    attempts: DeliveryAttempt[];
    /** Format: date-time */
    created_at: string;
    /** Format: date-time */
    updated_at: string;
    /** @description The body that is sent */
    payload: SentEvent;
    /** Format: date-time */
    queried_at: string;
};
/** @enum {string} */
export type DifferenceReason = "equal" | "rounding" | "price_includes_tax" | "registration" | "exemption" | "customer_status" | "shipping" | "discount" | "local_taxes" | "product_rule" | "earlier_rate" | "place_of_supply" | "unexplained";
export type DisabledWebhook = {
    webhook_id: string;
    url: string;
    consecutive_failures: number;
    last_failed_at: string | null;
};
export type DueReturnData = {
    registration_id: string;
    jurisdiction_id: string | null;
    scheme: string | null;
    type: string | null;
    period: string;
    /** Format: date */
    from_date: string;
    /** Format: date */
    to_date: string;
    /** Format: date */
    due_date: string;
    /** Format: date */
    last_date: string;
};
export type EndingExemption = {
    exemption_id: string;
    customer_id: string;
    jurisdiction_id: string;
    /** Format: date */
    valid_to: string;
};
/** @enum {string} */
export type ErrorCode = "UNAUTHORIZED" | "FORBIDDEN" | "NOT_FOUND" | "VALIDATION_ERROR" | "RATE_LIMIT_EXCEEDED" | "INTERNAL_ERROR";
export type EventType = {
    type: EventTypeId;
    description: string;
};
/** @enum {string} */
export type EventTypeId = "rate.updated" | "threshold.updated" | "jurisdiction.added" | "sync.completed" | "rule.updated" | "local_rates.updated" | "webhook.disabled" | "exemption.expiring" | "exemption.expired" | "return.due" | "threshold.approaching" | "threshold.exceeded" | "vat_id.changed" | "transaction.created" | "transaction.refunded";
export type EventTypesAnswer = {
    events: EventType[];
    total: number;
    /** Format: date-time */
    queried_at: string;
};
export type EventsAnswer = {
    events: ListedEvent[];
    limit: number;
    has_more: boolean;
    /** @description The id of the last event. It is never null if there are events */
    next_after: string | null;
    /** Format: date-time */
    queried_at: string;
};
export type Evidence = {
    type: EvidenceType;
    country: string;
    /** @description Such as the IP address. Stays with the sale as proof, also if the customer is erased */
    value?: string | null;
    /** @description Given by a third party of the payment or delivery. Then one piece is enough, if you sell at most 100,000 EUR of such services a year to other member states */
    from_provider?: boolean;
};
export type EvidenceAnswer = {
    type: EvidenceType;
    country: string;
    value: string | null;
    from_provider: boolean;
};
/** @enum {string} */
export type EvidenceStatus = "missing" | "insufficient" | "conflicting" | "sufficient";
/** @enum {string} */
export type EvidenceType = "billing_address" | "ip" | "bank" | "sim" | "landline" | "other";
export type ExemptByReason = {
    /** @description In minor units of the currency */
    resale: number;
    /** @description In minor units of the currency */
    government: number;
    /** @description In minor units of the currency */
    nonprofit: number;
    /** @description In minor units of the currency */
    food: number;
    /** @description In minor units of the currency */
    export: number;
    /** @description In minor units of the currency */
    other: number;
};
export type Exemption = {
    id: string;
    jurisdiction_id: string;
    exemption_type: ExemptionType;
    certificate_number: string;
    certificate_url: string | null;
    /** Format: date */
    valid_from: string;
    valid_to: string | null;
    status: ExemptionStatus;
    verification_notes: string | null;
    /** Format: date-time */
    created_at: string;
    /** Format: date-time */
    updated_at: string;
};
export type ExemptionAnswer = {
    id: string;
    jurisdiction_id: string;
    exemption_type: ExemptionType;
    certificate_number: string;
    certificate_url: string | null;
    /** Format: date */
    valid_from: string;
    valid_to: string | null;
    status: ExemptionStatus;
    verification_notes: string | null;
    /** Format: date-time */
    created_at: string;
    /** Format: date-time */
    updated_at: string;
    /** Format: date-time */
    queried_at: string;
};
export type ExemptionCheckAnswer = {
    customer_id: string;
    jurisdiction_id: string;
    is_exempt: boolean;
    exemption?: {
        id: string;
        exemption_type: ExemptionType;
        /** @constant */
        status: "verified";
        /** Format: date */
        valid_from: string;
        valid_to: string | null;
    };
    /** Format: date-time */
    checked_at: string;
    /** Format: date-time */
    queried_at: string;
};
export type ExemptionExpiredEvent = {
    /** @description The id of the event, the same for every attempt. The signature covers it */
    id: string;
    /** @constant */
    event: "exemption.expired";
    /**
     * Format: date-time
     * @description When it happened
     */
    timestamp: string;
    data: EndingExemption;
};
export type ExemptionExpiringEvent = {
    /** @description The id of the event, the same for every attempt. The signature covers it */
    id: string;
    /** @constant */
    event: "exemption.expiring";
    /**
     * Format: date-time
     * @description When it happened
     */
    timestamp: string;
    data: EndingExemption;
};
export type ExemptionRequest = {
    jurisdiction_id?: string;
    exemption_type?: ExemptionType;
    certificate_number?: string;
    certificate_url?: string | null;
    valid_from?: string;
    valid_to?: string | null;
    /** @description Only a verified exemption frees sales */
    status?: ExemptionStatus;
    verification_notes?: string | null;
};
/** @enum {string} */
export type ExemptionStatus = "pending" | "verified" | "rejected" | "expired";
/** @enum {string} */
export type ExemptionType = "resale" | "nonprofit" | "government" | "other";
export type ExemptionsAnswer = {
    exemptions: Exemption[];
    total: number;
    limit: number;
    offset: number;
    has_more: boolean;
    /** Format: date-time */
    queried_at: string;
};
export type FactInWords = {
    id: string;
    says: string;
    effective_from: string | null;
    source: string;
    last_verified_at: string | null;
};
export type FactToConfirm = {
    id: string;
    /** @enum {string} */
    kind: "rates" | "thresholds" | "product_rules";
    subject: string;
    says: string;
    notes: string | null;
    source: string;
    source_url: string;
    last_verified_at: string | null;
    /**
     * Format: date
     * @description The day on which it becomes stale
     */
    confirm_by: string;
};
export type Fallback = {
    part: string;
    /** @description The source that answered */
    source: string;
    /** Format: date-time */
    since: string;
    /** @description Why the other sources were not used */
    reason: string;
};
export type FieldError = {
    /** @description The field, such as `line_items[0].amount` */
    path: string;
    message: string;
};
/** @enum {string} */
export type FileFormatName = "csv" | "bzst_oss_csv" | "oss_xml" | "hmrc_mtd_json" | "ec_sales_list" | "de_zm_csv" | "saft_lines_csv" | "datev_csv";
export type FiledAs = {
    return_id: string;
    version: number;
    /** Format: date-time */
    filed_at: string;
};
export type FiledFigures = {
    type: FilingType;
    period: string;
    /** Format: date */
    from_date: string;
    /** Format: date */
    to_date: string;
    currency: string | null;
    jurisdiction_id: string | null;
    seller: FilingSeller;
    period_ended: boolean;
    /** @description The period has ended, and nothing is to be declared */
    nil_return: boolean;
    boxes: FilingBox[];
    supplies: FilingSupply[];
    /** @description For `us_state`: the tax of each state, county, city and district, corrections included. Null: there are more than 100,000 sales */
    jurisdiction_taxes: FilingTax[] | null;
    corrections: FilingCorrection[];
    /** @description Corrections that this return no longer takes: tell them to the member state itself */
    expired_corrections: FilingCorrection[];
    totals: FilingTotals | null;
    exchange_rates: UsedExchangeRate[];
    /** @description The rates of a return that converts each sale by the day */
    daily_exchange_rates: DailyExchangeRates[];
    unconverted: UnconvertedSales[];
    notes: string[];
    /** @description Not null: these are the figures of a filed return */
    filed: FiledAs | null;
};
export type FiledObligation = {
    return_id: string;
    version: number;
    /** Format: date-time */
    filed_at: string;
};
export type FiledReturn = {
    id: string;
    type: FilingType;
    jurisdiction_id: string | null;
    period: string;
    /** Format: date */
    from_date: string;
    /** Format: date */
    to_date: string;
    version: number;
    status: ReturnStatus;
    /** @description Sales or refunds of these days were recorded later: the next open return corrects them */
    late_entries: boolean;
    row_count: number;
    data_version: string;
    /** @description The hash of the return that the account filed before; empty: none */
    previous_hash: string;
    hash: string;
    /** Format: date-time */
    filed_at: string;
    /** @description The key that filed it */
    filed_by: string;
    reopened_at: string | null;
    reopen_reason: string | null;
};
export type FilingAnswer = {
    type: FilingType;
    period: string;
    /** Format: date */
    from_date: string;
    /** Format: date */
    to_date: string;
    currency: string | null;
    jurisdiction_id: string | null;
    seller: FilingSeller;
    period_ended: boolean;
    /** @description The period has ended, and nothing is to be declared */
    nil_return: boolean;
    boxes: FilingBox[];
    supplies: FilingSupply[];
    /** @description For `us_state`: the tax of each state, county, city and district, corrections included. Null: there are more than 100,000 sales */
    jurisdiction_taxes: FilingTax[] | null;
    corrections: FilingCorrection[];
    /** @description Corrections that this return no longer takes: tell them to the member state itself */
    expired_corrections: FilingCorrection[];
    totals: FilingTotals | null;
    exchange_rates: UsedExchangeRate[];
    /** @description The rates of a return that converts each sale by the day */
    daily_exchange_rates: DailyExchangeRates[];
    unconverted: UnconvertedSales[];
    notes: string[];
    /** @description Not null: these are the figures of a filed return */
    filed: FiledAs | null;
    /** Format: date-time */
    queried_at: string;
};
export type FilingBox = {
    box: string;
    name: string;
    amount: number | null;
    note: string | null;
    /** @description The amount in whole units of the currency, if the form takes no minor units */
    form_amount: number | null;
    /** @description Lists the lines of the figure. Their `figure_amount` adds up to it */
    transactions_url: string | null;
};
export type FilingCorrection = {
    jurisdiction_id: string;
    period: string;
    currency: string;
    /** @description In minor units of the currency */
    taxable_amount: number;
    /** @description In minor units of the currency */
    tax_amount: number;
    transactions_url: string;
};
/** @enum {string} */
export type FilingFrequency = "monthly" | "two_monthly" | "quarterly" | "six_monthly" | "annual";
export type FilingProfile = {
    /** @description The stagger group of UK quarters: 1 ends in March, 2 in April, 3 in May */
    uk_stagger: number;
    /** @description The first month of a year. A year has the number of the calendar year in which it ends */
    fiscal_year_start: number;
};
export type FilingSeller = {
    name: string;
    country: string | null;
    vat_id: string | null;
    registrations: {
        /** @description A jurisdiction or a scheme */
        id: string;
        registration_number: string | null;
    }[];
};
export type FilingSupply = {
    jurisdiction_id: string;
    kind: SoldKind | null;
    rate: number | null;
    /** @description Null if no such rate was in force there in the period */
    rate_type: RateType | null;
    currency: string;
    /** @description In minor units of the currency */
    gross_sales: number;
    /** @description In minor units of the currency */
    exempt_sales: number;
    /** @description Sales that the seller would tax if it were registered there */
    uncollected_sales: number;
    exempt_by_reason: ExemptByReason | null;
    /** @description In minor units of the currency */
    taxable_amount: number;
    /** @description In minor units of the currency */
    tax_amount: number;
    transactions_url: string;
};
export type FilingTax = {
    jurisdiction_id: string;
    state: string;
    /**
     * @description `not_split`: the tax was given with the sale, and differs from the calculated tax
     * @enum {string}
     */
    level: "state" | "county" | "city" | "district" | "flat" | "not_split";
    name: string;
    /** @description The code in the state's files, or the FIPS code. Null: it has none */
    code: string | null;
    tax_type: string | null;
    /** @description The tax that stands instead of sales tax */
    levied_as: string | null;
    rate: number | null;
    currency: string;
    /** @description In minor units of the currency */
    taxable_amount: number;
    /** @description In minor units of the currency */
    tax_amount: number;
    transactions_url: string;
};
export type FilingTotals = {
    /** @description In minor units of the currency */
    taxable_amount: number;
    /** @description In minor units of the currency */
    tax_amount: number;
    /** @description In minor units of the currency */
    corrections_tax_amount: number;
    /** @description In minor units of the currency */
    tax_due: number;
};
/** @enum {string} */
export type FilingType = "oss_union" | "oss_non_union" | "ioss" | "eu_domestic" | "uk_vat100" | "us_state" | "ca_gst34" | "au_bas" | "nz_gst101a" | "generic";
/** @enum {string} */
export type Freshness = "healthy" | "degraded" | "stale" | "unknown" | "not_collected";
/** @enum {string} */
export type GrantableScope = "*" | "tax:read" | "customers:read" | "customers:write" | "transactions:read" | "transactions:write" | "webhooks:read" | "webhooks:write" | "reports:read" | "reports:write" | "registrations:read" | "registrations:write" | "keys:read" | "keys:write" | "audit:read" | "vat:write";
export type HealthAnswer = {
    /** @enum {string} */
    status: "healthy" | "degraded" | "unhealthy";
    /** Format: date-time */
    timestamp: string;
    environment: string;
    cached: boolean;
    duration_ms: number;
    checks: {
        database: HealthCheck;
        kv: HealthCheck;
        sync_freshness: HealthCheck;
    };
    /** Format: date-time */
    queried_at: string;
};
export type HealthCheck = {
    name: string;
    status: CheckStatus;
    message?: string;
    /** @description Of `database`, if the books are divided over several databases */
    shards?: {
        shard: number;
        status: CheckStatus;
        /** @description The used part of the database, from 0 to 1 */
        fill: number | null;
    }[];
};
export type HmrcVatReturn = {
    periodKey: string;
    vatDueSales: number;
    vatDueAcquisitions: number;
    totalVatDue: number;
    vatReclaimedCurrPeriod: number;
    netVatDue: number;
    totalValueSalesExVAT: number;
    totalValuePurchasesExVAT: number;
    totalValueGoodsSuppliedExVAT: number;
    totalAcquisitionsExVAT: number;
    /** @constant */
    finalised: true;
};
export type HolidayToReview = {
    jurisdiction_id: string;
    /** Format: date */
    latest_from: string;
    latest_to: string | null;
    /**
     * Format: date
     * @description Eleven months after the last one, because states set them every year
     */
    review_by: string;
    source_url: string;
};
export type ItemError = {
    error_code: ErrorCode;
    /** @description A sentence for people */
    message: string;
    /** @description A word for programs. Each operation lists its reasons */
    reason: string;
    errors?: FieldError[];
    /** @description What the reason means, and what to do: a path of this service */
    doc_url: string;
};
export type Jurisdiction = {
    id: string;
    name: string;
    type: JurisdictionType;
    parent_id: string | null;
    region: LawRegion;
    currency: string;
    tax_system: string;
    special_territory: boolean;
    in_eu_vat_area: boolean | null;
    vat_treatment: string | null;
    source: string;
    source_url: string;
    last_verified_at: string | null;
    /** @description The publication that was read last, with its address; or `kept by hand, reviewed on` a day */
    verified_by: string;
    /** @description The day of which that publication speaks, if it names one */
    as_of: string | null;
    /** @description Since when a source says something else that is not believed yet; the record is stale until then */
    doubted_since: string | null;
};
export type JurisdictionAddedEvent = {
    /** @description The id of the event, the same for every attempt. The signature covers it */
    id: string;
    /** @constant */
    event: "jurisdiction.added";
    /**
     * Format: date-time
     * @description When it happened
     */
    timestamp: string;
    data: NewJurisdiction;
};
export type JurisdictionAnswer = {
    id: string;
    name: string;
    type: JurisdictionType;
    parent_id: string | null;
    region: LawRegion;
    currency: string;
    tax_system: string;
    special_territory: boolean;
    in_eu_vat_area: boolean | null;
    vat_treatment: string | null;
    source: string;
    source_url: string;
    last_verified_at: string | null;
    /** @description The publication that was read last, with its address; or `kept by hand, reviewed on` a day */
    verified_by: string;
    /** @description The day of which that publication speaks, if it names one */
    as_of: string | null;
    /** @description Since when a source says something else that is not believed yet; the record is stale until then */
    doubted_since: string | null;
    parent: Jurisdiction | null;
    rates: Rate[];
    thresholds: Threshold[];
    meta: Meta;
    /** Format: date-time */
    queried_at: string;
};
/** @enum {string} */
export type JurisdictionType = "country" | "state" | "province" | "territory" | "district";
export type JurisdictionsAnswer = {
    jurisdictions: Jurisdiction[];
    total: number;
    limit: number;
    offset: number;
    has_more: boolean;
    data_version: string;
    /** Format: date-time */
    queried_at: string;
};
/** @enum {string} */
export type LawRegion = "EU" | "UK" | "US" | "CA" | "AU" | "NZ";
export type LineComparison = {
    /** @description The tax of the other service */
    tax_amount: number;
    /** @description Our tax minus the tax of the other service */
    difference: number;
    reason: DifferenceReason;
    /** @description The one change of the sale for which the other figure is right */
    detail: string;
};
/** @enum {string} */
export type LineEntryKind = "sale" | "refund";
export type LinesAnswer = {
    lines: ReportLine[];
    limit: number;
    has_more: boolean;
    next_cursor: string | null;
    /** Format: date-time */
    queried_at: string;
};
export type ListedEvent = {
    id: string;
    type: EventTypeId;
    /** Format: date-time */
    created_at: string;
    data: {
        [key: string]: unknown;
    };
};
export type ListedWebhook = {
    id: string;
    url: string;
    events: SubscribedEvent[];
    status: WebhookStatus;
    description: string | null;
    consecutive_failures: number;
    last_succeeded_at: string | null;
    /** Format: date-time */
    created_at: string;
    /** Format: date-time */
    updated_at: string;
};
export type LocalBlock = {
    /** @enum {string} */
    precision: "zip4" | "zip5" | "zip5_city" | "county" | "city" | "state" | "none";
    /** @enum {string} */
    method: "zip4_record" | "only_rate_in_zip" | "lowest_in_zip" | "largest_area" | "highest_in_zip" | "city_named" | "remote_seller_rate" | "none";
    rate: number;
    rate_min: number;
    rate_max: number;
    parts: LocalPart[];
    candidates: LocalCandidateAnswer[];
    note: string | null;
};
export type LocalCandidateAnswer = {
    rate: number;
    names: string[];
    /** @description Its share of the land of the ZIP */
    share: number | null;
};
export type LocalPart = {
    id: string;
    /** @enum {string} */
    type: "county" | "city" | "district" | "flat";
    name: string;
    rate: number;
    source: string;
    /** Format: date */
    as_of: string;
};
export type LocalRateChange = {
    jurisdiction_id: string;
    jurisdiction_name: string;
    old_rate: number | null;
    new_rate: number | null;
    effective_from: string | null;
};
export type LocalRatesUpdate = {
    jurisdiction_id: string;
    jurisdiction_name: string;
    source: string;
    changed: number;
    changes: LocalRateChange[];
};
export type LocalRatesUpdatedEvent = {
    /** @description The id of the event, the same for every attempt. The signature covers it */
    id: string;
    /** @constant */
    event: "local_rates.updated";
    /**
     * Format: date-time
     * @description When it happened
     */
    timestamp: string;
    data: LocalRatesUpdate;
};
/** @description `facilitated`: a marketplace makes the sale for the seller; `facilitator`: the caller is it */
export type MarketplaceRequest = {
    role: MarketplaceRole;
};
/** @enum {string} */
export type MarketplaceRole = "facilitated" | "facilitator";
export type MeasuredThresholdData = {
    jurisdiction_id: string;
    jurisdiction_name: string;
    threshold_type: string;
    threshold_amount: number | null;
    threshold_transactions: number | null;
    amount: number;
    transaction_count: number;
    currency: string;
    ratio: number;
    /** Format: date */
    measured_from: string;
    /** Format: date */
    measured_to: string;
};
export type Meta = {
    /** @description `multiple` if there is more than one */
    source: string | null;
    source_url: string | null;
    /** @description When the oldest of the records was verified */
    last_verified_at: string | null;
    /**
     * @description `not_collected`: a person reviews some of the records, because no collector reads a source
     * @enum {string}
     */
    data_freshness: "fresh" | "stale" | "not_collected";
    data_version: string;
};
export type MissingItem = {
    /** @description The letter of the item in art. 63c */
    item: string;
    what: string;
};
export type NewApiKeyAnswer = {
    id: string;
    name: string | null;
    /** @description The first 12 characters of the key */
    prefix: string;
    scopes: Scope[];
    expires_at: string | null;
    /** @description The day of the last use; the time is not recorded */
    last_used_at: string | null;
    /** @description In the future for a rotated key that is still valid */
    revoked_at: string | null;
    /** Format: date-time */
    created_at: string;
    /** @description Shown once. Null if an Idempotency-Key replays the answer, because the service does not store the key */
    key: string | null;
    /** Format: date-time */
    queried_at: string;
};
export type NewApiKeyRequest = {
    /** @description A name for people */
    name?: string | null;
    scopes: GrantableScope[];
    /** @description Default: the expiry of the key that sends this request */
    expires_at?: string | null;
};
export type NewCalendarFeedAnswer = {
    /** @description A path of this service, shown once. Who has it can read the calendar */
    url: string | null;
    /** Format: date-time */
    created_at: string;
    /** Format: date-time */
    queried_at: string;
};
export type NewExemptionRequest = {
    /** @description It frees sales in this jurisdiction and in its parts */
    jurisdiction_id: string;
    exemption_type: ExemptionType;
    certificate_number: string;
    certificate_url?: string | null;
    valid_from: string;
    /** @description The last day; null for an open end */
    valid_to?: string | null;
};
export type NewJurisdiction = {
    jurisdiction_id: string;
    jurisdiction_name: string;
    region: LawRegion;
    type: JurisdictionType;
    parent_id: string | null;
    effective_from: string | null;
};
export type NewWebhookAnswer = {
    id: string;
    url: string;
    events: SubscribedEvent[];
    status: WebhookStatus;
    description: string | null;
    consecutive_failures: number;
    last_succeeded_at: string | null;
    /** Format: date-time */
    created_at: string;
    /** Format: date-time */
    updated_at: string;
    last_failed_at: string | null;
    /** @description Until when the secret before the last rotation also signs, in `webhook-signature`; null: it does not */
    previous_secret_until: string | null;
    /** @description Shown once. Null if an Idempotency-Key replays the answer, because the secret is only stored encrypted */
    secret: string | null;
    /** Format: date-time */
    queried_at: string;
};
export type NewWebhookRequest = {
    /** @description HTTPS, with a public host name, on port 443 or 8443 */
    url: string;
    events: SubscribedEvent[];
    description?: string | null;
};
export type NexusAnswer = {
    /** Format: date */
    as_of: string;
    jurisdictions: NexusExposure[];
    total: number;
    meta: Meta;
    /** Format: date-time */
    queried_at: string;
};
export type NexusExposure = {
    jurisdiction_id: string;
    jurisdiction_name: string;
    /** @enum {string} */
    status: "below" | "approaching" | "exceeded";
    registered: boolean;
    threshold: Threshold;
    progress: ThresholdProgress;
    /** Format: date */
    measured_from: string;
    /** Format: date */
    measured_to: string;
    exceeded_on: string | null;
    notes: string[];
};
export type Obligation = {
    registration_id: string;
    jurisdiction_id: string | null;
    scheme: Scheme | null;
    /** @description The form of the return; null: this service has none */
    type: FilingType | null;
    frequency: FilingFrequency;
    period: string;
    /** Format: date */
    from_date: string;
    /** Format: date */
    to_date: string;
    /**
     * Format: date
     * @description The day that the law names
     */
    due_date: string;
    /**
     * Format: date
     * @description The Monday after a weekend, if the law moves it. Public holidays are not considered
     */
    last_date: string;
    /** @description What the law says of a weekend; null: not considered */
    weekend: WeekendRule | null;
    /** @description `open`: the period has not ended; `overdue`: after `last_date` */
    status: ObligationStatus;
    filed: FiledObligation | null;
    /** @description Before corrections and exchange rates. The figures are in `GET /v1/reports/filing` */
    so_far: TaxSoFar[];
    filing_url: string | null;
    source: string;
    source_url: string;
    /** @description Null: the source was not read */
    verified_at: string | null;
    confidence: string;
    notes: string | null;
};
/** @enum {string} */
export type ObligationStatus = "open" | "due" | "overdue" | "filed";
export type ObligationsAnswer = {
    obligations: Obligation[];
    without_dates: WithoutDatesAnswer[];
    /** Format: date */
    from: string;
    /** Format: date */
    to: string;
    total: number;
    limit: number;
    offset: number;
    has_more: boolean;
    /** Format: date-time */
    queried_at: string;
};
export type OssRecord = {
    id: string;
    scheme: UnionScheme;
    entry: LineEntryKind;
    transaction_id: string;
    refund_id: string | null;
    /** @description Item a: the member state of consumption */
    member_state: string;
    /** @description Item b */
    kind: SoldKind;
    /** @description Item b */
    product_type: string;
    /** @description Item b; of a refund its reason */
    description: string | null;
    /** @description Item b */
    quantity: number | null;
    /**
     * Format: date
     * @description Item c: the day of the supply, or of the refund
     */
    date: string;
    currency: string;
    /** @description Item d; of a refund the reduction, item e */
    taxable_amount: number;
    /** @description Item e: the month of the sale that this entry changes */
    changes_sale_of: string | null;
    /** @description Item f */
    tax_rate: number;
    /** @description Item g */
    tax_amount: number;
    /** @description Item h */
    payments: PaymentAnswer[];
    /** @description Item i: those before the day of the supply */
    payments_on_account: PaymentAnswer[];
    /** @description Item j (IOSS: i) */
    invoice_number: string | null;
    /** @description Item k (IOSS: j): also where the dispatch ends */
    customer_address: RecordedAddress;
    /** @description Item k (IOSS: j) */
    dispatched_from: RecordedAddress | null;
    /** @description Item k: of the place of a customer of services */
    evidence: EvidenceAnswer[];
    evidence_status: EvidenceStatus;
    /** @description Item l (IOSS: k): of returned goods */
    credit_note_number: string | null;
    /** @description IOSS item l: your reference, or the id of the transaction */
    order_number: string;
    /** @description IOSS item m */
    consignment_number: string | null;
    missing: MissingItem[];
    /**
     * Format: date
     * @description Ten years from the end of the year of the supply
     */
    keep_until: string;
};
export type OssRecordsAnswer = {
    records: OssRecord[];
    limit: number;
    has_more: boolean;
    next_cursor: string | null;
    /** Format: date-time */
    queried_at: string;
};
export type Payment = {
    date: string;
    /** @description In minor units of the currency of the transaction */
    amount: number;
    /** @description Such as the id at the payment processor */
    reference?: string | null;
};
export type PaymentAnswer = {
    /** Format: date */
    date: string;
    /** @description In minor units of the currency */
    amount: number;
    reference: string | null;
};
export type ProductCoverage = {
    jurisdiction_id: string;
    product_type: ProductTypeId;
    /**
     * @description `default`: no rule is on file, so the standard rate is used; `uncertain`: its confidence is low
     * @enum {string}
     */
    status: "on_file" | "default" | "uncertain";
    /** @description The first day that a rule is on file for */
    from: string | null;
    confidence: ("high" | "medium" | "low") | null;
    last_verified_at: string | null;
};
export type ProductType = {
    id: ProductTypeId;
    name: string;
    /** @enum {string} */
    kind: "goods" | "digital" | "service" | "on_site" | "shipping";
    description: string;
    /** @description The type whose rule is used, with a note, if a place has none */
    broader: ProductTypeId | null;
};
/** @enum {string} */
export type ProductTypeId = "physical_goods" | "clothing" | "groceries" | "books" | "newspapers" | "prescription_drugs" | "otc_drugs" | "medical_devices" | "saas" | "digital_goods" | "ebooks" | "streaming" | "software_download" | "professional_services" | "event_admission" | "accommodation" | "passenger_transport" | "prepared_food" | "shipping" | "shipping_and_handling" | "children_clothing" | "basic_food" | "luxury_food" | "candy" | "snacks" | "soft_drinks" | "bicycles" | "sanitary_products" | "school_supplies" | "computers" | "e_periodicals" | "infrastructure_services" | "platform_services" | "recorded_training" | "live_training" | "installation_repair" | "accounting_services" | "engineering_services" | "legal_services" | "real_estate_services" | "security_services" | "air_transport" | "ground_transport";
/** @enum {string} */
export type ProductTypeOrCode = "10040" | "19000" | "19001" | "19003" | "19004" | "19005" | "19007" | "19008" | "19009" | "20010" | "20041" | "30070" | "31000" | "40010" | "40020" | "40030" | "40050" | "41000" | "51010" | "51020" | "81100" | "81110" | "81120" | "81300" | "81310" | "99999" | "physical_goods" | "clothing" | "groceries" | "books" | "newspapers" | "prescription_drugs" | "otc_drugs" | "medical_devices" | "saas" | "digital_goods" | "ebooks" | "streaming" | "software_download" | "professional_services" | "event_admission" | "accommodation" | "passenger_transport" | "prepared_food" | "shipping" | "shipping_and_handling" | "children_clothing" | "basic_food" | "luxury_food" | "candy" | "snacks" | "soft_drinks" | "bicycles" | "sanitary_products" | "school_supplies" | "computers" | "e_periodicals" | "infrastructure_services" | "platform_services" | "recorded_training" | "live_training" | "installation_repair" | "accounting_services" | "engineering_services" | "legal_services" | "real_estate_services" | "security_services" | "air_transport" | "ground_transport" | "txcd_99999999" | "txcd_92010001" | "txcd_10103001" | "txcd_10103000" | "txcd_10000000" | "txcd_10201000" | "txcd_40060003" | "P0000000" | "D0000000" | "FR000000" | "FR020100";
export type ProductTypesAnswer = {
    product_types: ProductType[];
    total: number;
    /** Format: date-time */
    queried_at: string;
};
export type Rate = {
    id: string;
    jurisdiction_id: string;
    tax_type: TaxType;
    category: RateCategory;
    name: string;
    rate: number;
    /** Format: date */
    effective_from: string;
    effective_to: string | null;
    source: string;
    source_url: string;
    last_verified_at: string | null;
    /** @description The publication that was read last, with its address; or `kept by hand, reviewed on` a day */
    verified_by: string;
    /** @description The day of which that publication speaks, if it names one */
    as_of: string | null;
    /** @description Since when a source says something else that is not believed yet; the record is stale until then */
    doubted_since: string | null;
};
/** @enum {string} */
export type RateCategory = "standard" | "reduced" | "reduced_2" | "super_reduced" | "parking" | "zero";
export type RateHistoryAnswer = {
    jurisdiction_id: string;
    /** @description Past and announced rates too, the latest first */
    rates: Rate[];
    total: number;
    limit: number;
    offset: number;
    has_more: boolean;
    data_version: string;
    /** Format: date-time */
    queried_at: string;
};
/** @enum {string} */
export type RateType = "standard" | "reduced";
export type RateUpdate = {
    jurisdiction_id: string;
    jurisdiction_name: string;
    tax_type: TaxType;
    category: RateCategory;
    old_rate: number;
    new_rate: number;
    /** Format: date */
    effective_from: string;
};
export type RateUpdatedEvent = {
    /** @description The id of the event, the same for every attempt. The signature covers it */
    id: string;
    /** @constant */
    event: "rate.updated";
    /**
     * Format: date-time
     * @description When it happened
     */
    timestamp: string;
    data: RateUpdate;
};
export type RatesAnswer = {
    jurisdiction: TaxedJurisdiction | null;
    /** Format: date */
    date: string;
    combined_rate: number | null;
    rates: Rate[];
    total: number;
    /** @description Null without `product_type` */
    rule: RuleStatus | null;
    /** @description The local taxes of `postal_code`, without the tax of the state */
    local: LocalBlock | null;
    notes: string[];
    meta: Meta;
    /** Format: date-time */
    queried_at: string;
};
export type RecordedAddress = {
    country: string;
    region: string | null;
    postal_code: string | null;
};
export type RecordedCalculation = {
    currency: string;
    jurisdiction_id?: string;
    transaction_date?: string;
    discount_amount?: number;
    line_items: ({
        /** @description The price of the whole line, in minor units; negative for a credit */
        amount: number;
        quantity?: number;
        product_type: ProductTypeOrCode;
        description?: string | null;
        /** @description `false`: no tax on this line, even if the law taxes it */
        taxable?: boolean;
        /** @description Left out: the `tax_behavior` of the request */
        tax_behavior?: TaxBehavior;
        tax_rate: number;
        tax_amount: number;
        /** @description Your own name for the line */
        reference?: string | null;
        /** @description Taken off the amount before tax, in minor units. The recorded amount is what remains */
        discount?: number;
        /** @description An event that is streamed while it takes place */
        live?: boolean;
    } & {
        [key: string]: unknown;
    })[];
    shipping_cost?: ({
        amount: number;
        tax_behavior?: TaxBehavior;
        tax_rate: number;
        tax_amount: number;
    } & {
        [key: string]: unknown;
    }) | null;
} & {
    [key: string]: unknown;
};
export type RecordedMarketplace = {
    role: MarketplaceRole;
};
export type RecordedSalesRequest = {
    amount: number;
    currency: string;
    transaction_count: number;
};
export type RecoverAnswer = {
    webhook_id: string;
    /** Format: date-time */
    since: string;
    /** @description The deliveries that are sent now */
    recovered: number;
    /** @description Whether more remain: call again */
    has_more: boolean;
    /** Format: date-time */
    queried_at: string;
};
export type RecoverRequest = {
    /** @description The moment of the first event to send again, at most 30 days ago */
    since: string;
};
export type Refund = {
    id: string;
    /** @description In minor units of the currency */
    amount: number;
    /** @description In minor units of the currency */
    tax_amount: number;
    reason: string;
    /** Format: date-time */
    refunded_at: string;
    external_id: string | null;
    credit_note_number: string | null;
    /** @description The lines that the refund names; null: it was spread over all lines */
    line_items: RefundedLine[] | null;
};
export type RefundAnswer = {
    id: string;
    /** @constant */
    status: "refunded";
    refund: Refund;
    refunds: Refund[];
    /** @description In minor units of the currency */
    amount_refunded: number;
    /** @description In minor units of the currency */
    tax_refunded: number;
    /** Format: date-time */
    queried_at: string;
};
export type RefundLineRequest = {
    /** @description The id of the line, `li_…` */
    id: string;
    /** @description Including tax, with the sign of the line */
    amount?: number;
    quantity?: number;
    /** @description The tax in the amount, as your credit note states it, with the sign of the line. Left out: pro rata */
    tax_amount?: number;
};
export type RefundRequest = {
    /** @description Including tax, in minor units; at most the amount not refunded yet. Alone it is spread over all lines pro rata. With line_items or shipping it may be left out, and must be their sum */
    amount?: number;
    /** @description The tax in the amount, as your credit note states it. Left out: pro rata. With line_items or shipping it must be the sum of their taxes */
    tax_amount?: number;
    reason: string;
    line_items?: RefundLineRequest[];
    /**
     * @description Gives back all that is left of the lines of shipping
     * @constant
     */
    shipping?: true;
    /** @description Left out: now. Not before the sale. A date is that day in the time zone of the account */
    refunded_at?: string | null;
    /** @description Your own reference, unique among the refunds of the account */
    external_id?: string | null;
    credit_note_number?: string | null;
};
export type RefundedLine = {
    id: string;
    /** @description In minor units of the currency */
    net_amount: number;
    /** @description In minor units of the currency */
    tax_amount: number;
};
export type RefundedTransaction = {
    transaction_id: string;
    refund_id: string;
    amount: number;
    tax_amount: number;
    currency: string;
};
/** @enum {string} */
export type RegionId = "EU" | "UK" | "US" | "US-TAX" | "CA" | "AU" | "TAXABILITY" | "NZ" | "FX-ECB" | "FX-HMRC" | "FX-BOC" | "US-LOCAL";
export type RegionStatus = {
    region: string;
    /** @enum {string} */
    status: "healthy" | "degraded" | "stale" | "unknown" | "not_collected";
    /** @description If no source is collected: so, and when a person reviewed the data */
    note: string | null;
    last_sync_at: string | null;
    last_successful_fetch: string | null;
    consecutive_failures: number;
    parse_failures: number;
    last_error: string | null;
    /** @description Sources that do not answer, and since when others stand in */
    fallbacks: Fallback[];
    /** @description Changes that are not believed yet: they wait for a second source or a person */
    records_held: number;
};
export type RegionsAnswer = {
    country: string;
    regions: CountryRegion[];
    total: number;
    /** Format: date-time */
    queried_at: string;
};
export type Registration = {
    id: string;
    jurisdiction_id: string | null;
    scheme: Scheme | null;
    registration_number: string | null;
    /** Format: date */
    valid_from: string;
    valid_to: string | null;
    filing_frequency: FilingFrequency | null;
    /** Format: date-time */
    created_at: string;
    /** Format: date-time */
    updated_at: string;
};
export type RegistrationAnswer = {
    id: string;
    jurisdiction_id: string | null;
    scheme: Scheme | null;
    registration_number: string | null;
    /** Format: date */
    valid_from: string;
    valid_to: string | null;
    filing_frequency: FilingFrequency | null;
    /** Format: date-time */
    created_at: string;
    /** Format: date-time */
    updated_at: string;
    /** Format: date-time */
    queried_at: string;
};
export type RegistrationRequest = {
    /** @description Either this or `scheme` */
    jurisdiction_id?: string | null;
    scheme?: Scheme | null;
    registration_number?: string | null;
    /** @description The first day; required for a new registration */
    valid_from?: string;
    /** @description The last day; null for an open end */
    valid_to?: string | null;
    /** @description How often you file. Null: as usual in that place */
    filing_frequency?: FilingFrequency | null;
};
export type RegistrationsAnswer = {
    registrations: Registration[];
    total: number;
    limit: number;
    offset: number;
    has_more: boolean;
    /** Format: date-time */
    queried_at: string;
};
export type ReopenRequest = {
    /** @description Is kept with the return */
    reason: string;
};
export type ReportLine = {
    id: string;
    entry: LineEntryKind;
    transaction_id: string;
    external_id: string | null;
    invoice_number: string | null;
    line_id: string | null;
    refund_id: string | null;
    /**
     * Format: date-time
     * @description Of the sale, or of the refund
     */
    dated_at: string;
    /**
     * Format: date
     * @description The day in the time zone of the account
     */
    day: string;
    /** @description The month of the sale, also for refunds and credit notes */
    sold_in: string;
    recorded_at: string;
    jurisdiction_id: string;
    place_of_supply: string;
    scheme: string | null;
    currency: string;
    product_type: string;
    kind: SoldKind;
    description: string | null;
    quantity: number | null;
    tax_rate: number;
    taxability_reason: string | null;
    exemption_type: string | null;
    /** @description The other end of an export: where it goes, or what it left if the destination taxes it */
    exported_to: string | null;
    /** @description In minor units of the currency */
    net_amount: number;
    /** @description In minor units of the currency */
    taxable_amount: number;
    /** @description In minor units of the currency */
    tax_amount: number;
    /** @description In minor units of the currency */
    provincial_tax_amount: number;
    /** @description What the line adds to the figure that was asked for */
    figure_amount: number | null;
    customer_id: string | null;
    customer_country: string;
    customer_region: string | null;
    customer_postal_code: string | null;
    customer_vat_id: string | null;
    tax_source: string;
    data_version: string | null;
    audit_id: string | null;
};
export type ReportRow = {
    id: string;
    external_id: string | null;
    /** Format: date-time */
    transaction_date: string;
    status: TransactionStatus;
    jurisdiction_id: string;
    customer_id: string | null;
    customer_country: string;
    customer_region: string | null;
    customer_postal_code: string | null;
    currency: string;
    /** @description In minor units of the currency */
    subtotal: number;
    /** @description In minor units of the currency */
    taxable_amount: number;
    tax_rate: number;
    /** @description In minor units of the currency */
    tax_amount: number;
    /** @description In minor units of the currency */
    total: number;
    /** @description In minor units of the currency */
    amount_refunded: number;
    /** @description In minor units of the currency */
    tax_refunded: number;
    reverse_charge: boolean;
    seller_registered: boolean;
};
export type ReturnAnswer = {
    id: string;
    type: FilingType;
    jurisdiction_id: string | null;
    period: string;
    /** Format: date */
    from_date: string;
    /** Format: date */
    to_date: string;
    version: number;
    status: ReturnStatus;
    /** @description Sales or refunds of these days were recorded later: the next open return corrects them */
    late_entries: boolean;
    row_count: number;
    data_version: string;
    /** @description The hash of the return that the account filed before; empty: none */
    previous_hash: string;
    hash: string;
    /** Format: date-time */
    filed_at: string;
    /** @description The key that filed it */
    filed_by: string;
    reopened_at: string | null;
    reopen_reason: string | null;
    figures: FiledFigures;
    /** Format: date-time */
    queried_at: string;
};
export type ReturnDueEvent = {
    /** @description The id of the event, the same for every attempt. The signature covers it */
    id: string;
    /** @constant */
    event: "return.due";
    /**
     * Format: date-time
     * @description When it happened
     */
    timestamp: string;
    data: DueReturnData;
};
export type ReturnRequest = {
    type: FilingType;
    /** @description A year `2026`, a quarter `2026-Q3`, a month `2026-09` or several months `2026-07..2026-12` */
    period: string;
    /** @description Required for forms of one state */
    jurisdiction_id?: string;
    /** @description Exchange rates, such as `USD:1.0812`: USD for one unit of the currency of the return. `2026-Q2:USD:1.1` is the rate of a corrected period, a month or a day. They replace published rates */
    fx_rates?: string;
};
export type ReturnRowsAnswer = {
    lines: ReportLine[];
    limit: number;
    has_more: boolean;
    next_cursor: string | null;
    /** Format: date-time */
    queried_at: string;
};
/** @enum {string} */
export type ReturnStatus = "filed" | "reopened";
export type ReturnsAnswer = {
    returns: FiledReturn[];
    total: number;
    limit: number;
    offset: number;
    has_more: boolean;
    /** Format: date-time */
    queried_at: string;
};
export type Review = {
    id: string;
    region: string;
    part: string;
    /** @enum {string} */
    kind: "rates" | "thresholds" | "product_rules" | "document";
    /** @description What it is about, such as `DE VAT standard` */
    subject: string;
    status: ReviewStatus;
    /** @description Why it is not in force */
    why: string;
    /** @description The fact in force */
    stands: FactInWords | null;
    /** @description The fact that `accept` puts into force. Null: nothing can be accepted */
    proposed: FactInWords | null;
    source: string;
    document_url: string;
    /** @description SHA-256 of the document */
    document_hash: string | null;
    /** @description The text that was read */
    excerpt: string;
    witnesses: {
        source: string;
        /** Format: date */
        day: string;
    }[];
    /** Format: date-time */
    first_seen_at: string;
    /** Format: date-time */
    last_seen_at: string;
    decided_at: string | null;
    /** @description The id of the key, or `command line` */
    decided_by: string | null;
    decision_reason: string | null;
};
export type ReviewDecided = {
    id: string;
    decision: Verdict;
    /** @description The new version; null if no fact changed */
    data_version: string | null;
    /** Format: date-time */
    queried_at: string;
};
export type ReviewDecision = {
    decision: Verdict;
    /** @description Why, for the audit log */
    reason: string;
};
/** @enum {string} */
export type ReviewStatus = "waiting" | "open" | "accepted" | "refused" | "applied" | "gone";
export type ReviewsAnswer = {
    reviews: Review[];
    total: number;
    limit: number;
    offset: number;
    has_more: boolean;
    /** @description The 100 facts of low confidence that are due first */
    to_confirm: FactToConfirm[];
    to_confirm_total: number;
    /** @description Sales tax holidays by state: they are kept by hand */
    holidays: HolidayToReview[];
    /** Format: date-time */
    queried_at: string;
};
export type RotateApiKeyRequest = {
    /** @description How many hours the old key stays valid. Default: 24 */
    grace_hours?: number;
};
export type RotateSecretRequest = {
    /** @description How many hours the old secret also signs in `webhook-signature`. Default: it ends at once */
    grace_hours?: number;
};
export type RotatedApiKeyAnswer = {
    id: string;
    name: string | null;
    /** @description The first 12 characters of the key */
    prefix: string;
    scopes: Scope[];
    expires_at: string | null;
    /** @description The day of the last use; the time is not recorded */
    last_used_at: string | null;
    /** @description In the future for a rotated key that is still valid */
    revoked_at: string | null;
    /** Format: date-time */
    created_at: string;
    /** @description Shown once. Null if an Idempotency-Key replays the answer, because the service does not store the key */
    key: string | null;
    replaces: {
        id: string;
        /** Format: date-time */
        revoked_at: string;
    };
    /** Format: date-time */
    queried_at: string;
};
export type RotatedSecretAnswer = {
    id: string;
    /** @description Shown once. Null if an Idempotency-Key replays the answer, because the secret is only stored encrypted */
    secret: string | null;
    /** @description Until when the secret before the last rotation also signs, in `webhook-signature`; null: it does not */
    previous_secret_until: string | null;
    /** Format: date-time */
    queried_at: string;
};
/** @enum {string} */
export type Rounding = "line" | "document";
/**
 * @description `default`: no rule for the product is on file, so the standard rate was used
 * @enum {string}
 */
export type RuleStatus = "specific" | "default";
export type RuleUpdate = {
    jurisdiction_id: string;
    jurisdiction_name: string;
    tax_type: TaxType;
    product_type: string;
    old_treatment: Treatment;
    new_treatment: Treatment;
    old_category: RateCategory | null;
    new_category: RateCategory | null;
    effective_from: string | null;
};
export type RuleUpdatedEvent = {
    /** @description The id of the event, the same for every attempt. The signature covers it */
    id: string;
    /** @constant */
    event: "rule.updated";
    /**
     * Format: date-time
     * @description When it happened
     */
    timestamp: string;
    data: RuleUpdate;
};
export type SaleCustomerRequest = {
    address?: AddressRequest;
    vat_id?: string | null;
    /** @description The caller's own check of the VAT id, which wins */
    vat_id_validated?: boolean | null;
    /** @description Left out: a customer with a good VAT id is a business */
    type?: CustomerType | null;
};
/** @enum {string} */
export type Scheme = "oss_union" | "oss_non_union" | "ioss" | "ca_simplified" | "qc_specified" | "tx_single_local" | "al_ssut";
/** @enum {string} */
export type Scope = "*" | "tax:read" | "customers:read" | "customers:write" | "transactions:read" | "transactions:write" | "webhooks:read" | "webhooks:write" | "reports:read" | "reports:write" | "registrations:read" | "registrations:write" | "keys:read" | "keys:write" | "audit:read" | "vat:write" | "operator";
export type SellerRequest = {
    /** @description Where the seller is established */
    country: string;
    region?: string | null;
    postal_code?: string | null;
    /** @description Jurisdictions and schemes. Default: those of the account */
    registrations?: string[];
    /** @description The seller uses the small-business scheme of its country, so it charges no tax there */
    small_business?: boolean;
    /** @description Whether cross-border sales to consumers in the EU are over 10,000 EUR a year. Left out: the recorded sales decide */
    over_eu_threshold?: boolean;
};
export type SentEvent = {
    id: string;
    event: string;
    /** Format: date-time */
    timestamp: string;
    data: {
        [key: string]: unknown;
    };
};
export type ShippingRequest = {
    amount: number;
    tax_behavior?: TaxBehavior;
};
export type ShippingTax = {
    /** @description In minor units of the currency */
    amount: number;
    tax_behavior: TaxBehavior;
    /** @description In minor units of the currency */
    net_amount: number;
    taxable: boolean;
    /** @description In minor units of the currency */
    taxable_amount: number;
    tax_rate: number;
    /** @description In minor units of the currency */
    tax_amount: number;
    taxability_reason: TaxabilityReason | null;
    reason_detail: string | null;
    tax_if_registered: number | null;
    tax_breakdown: TaxBreakdownEntry[];
    rule: RuleStatus;
    notes: string[];
};
export type SnapshotAnswer = {
    version: string;
    /** Format: date-time */
    generated_at: string;
    /** @description SHA-256 of the JSON of the data alone */
    checksum: string;
    jurisdictions: {
        [key: string]: unknown;
    }[];
    rates: {
        [key: string]: unknown;
    }[];
    thresholds: {
        [key: string]: unknown;
    }[];
    product_rules: {
        [key: string]: unknown;
    }[];
    postal_rules: {
        [key: string]: unknown;
    }[];
    consignment_limits: {
        [key: string]: unknown;
    }[];
    /** @description How the state that `local` names levies local taxes */
    local_states?: {
        [key: string]: unknown;
    }[];
    /** @description Its counties, cities and districts with their rates */
    local_jurisdictions?: {
        [key: string]: unknown;
    }[];
    /** @description The counties of its ZIPs, and the taxes that apply together in them */
    local_zips?: {
        [key: string]: unknown;
    }[];
    /** Format: date-time */
    queried_at: string;
};
/** @enum {string} */
export type SoldKind = "goods" | "services";
export type SourceDocument = {
    url: string;
    bytes: number;
    sha256: string;
};
export type SourceOfPart = {
    part: string;
    source: string | null;
    /** @description Whether it is not the first source of the part */
    fallback: boolean;
    others: {
        source: string;
        error: string;
    }[];
};
export type SpecialTerritory = {
    id: string;
    name: string;
    treatment: string | null;
};
export type StatusAnswer = {
    /** @enum {string} */
    status: "healthy" | "degraded" | "stale" | "unknown" | "unhealthy";
    message?: string;
    /** Format: date-time */
    checked_at: string;
    summary: {
        healthy: number;
        degraded: number;
        stale: number;
        unknown: number;
        not_collected: number;
        total: number;
    };
    regions: RegionStatus[];
    /** Format: date-time */
    queried_at: string;
};
/** @enum {string} */
export type SubscribedEvent = "rate.updated" | "threshold.updated" | "jurisdiction.added" | "sync.completed" | "rule.updated" | "local_rates.updated" | "webhook.disabled" | "exemption.expiring" | "exemption.expired" | "return.due" | "threshold.approaching" | "threshold.exceeded" | "vat_id.changed" | "transaction.created" | "transaction.refunded" | "*";
export type SummaryAnswer = {
    /** Format: date */
    from_date: string;
    /** Format: date */
    to_date: string;
    group_by: SummaryGrouping;
    rows: SummaryRow[];
    totals: SummaryTotals[];
    /** Format: date-time */
    queried_at: string;
};
/** @enum {string} */
export type SummaryGrouping = "jurisdiction" | "month" | "product_type" | "jurisdiction_and_month";
export type SummaryRow = {
    jurisdiction_id?: string;
    month?: string;
    product_type?: string;
    currency: string;
    transactions: number;
    refunds: number;
    /** @description In minor units of the currency */
    gross_sales: number;
    /** @description In minor units of the currency */
    taxable_sales: number;
    /** @description In minor units of the currency */
    exempt_sales: number;
    /** @description In minor units of the currency */
    uncollected_sales: number;
    /** @description In minor units of the currency */
    refunded_sales: number;
    /** @description In minor units of the currency */
    tax_collected: number;
    /** @description In minor units of the currency */
    tax_refunded: number;
    /** @description In minor units of the currency */
    net_tax: number;
};
export type SummaryTotals = {
    currency: string;
    transactions: number;
    refunds: number;
    /** @description In minor units of the currency */
    gross_sales: number;
    /** @description In minor units of the currency */
    taxable_sales: number;
    /** @description In minor units of the currency */
    exempt_sales: number;
    /** @description In minor units of the currency */
    uncollected_sales: number;
    /** @description In minor units of the currency */
    refunded_sales: number;
    /** @description In minor units of the currency */
    tax_collected: number;
    /** @description In minor units of the currency */
    tax_refunded: number;
    /** @description In minor units of the currency */
    net_tax: number;
};
export type SyncAnswer = {
    region: CollectedRegionId;
    /** @constant */
    status: "queued";
    /** Format: date-time */
    queried_at: string;
};
export type SyncCompletedEvent = {
    /** @description The id of the event, the same for every attempt. The signature covers it */
    id: string;
    /** @constant */
    event: "sync.completed";
    /**
     * Format: date-time
     * @description When it happened
     */
    timestamp: string;
    data: CompletedSync;
};
export type SyncRequest = {
    /** @description The region to synchronise */
    region: CollectedRegionId;
};
export type SyncStatusAnswer = {
    regions: SyncedRegion[];
    total: number;
    data_version: string;
    /** Format: date-time */
    queried_at: string;
};
export type SyncedRegion = {
    region: RegionId;
    data: string;
    status: Freshness;
    /** @description If no source is collected: so, and when a person reviewed the data */
    note: string | null;
    cadence_days: number | null;
    freshness_window_days: number | null;
    last_sync_at: string | null;
    last_successful_fetch: string | null;
    consecutive_failures: number;
    next_run_at: string | null;
    last_run: CollectorRun | null;
};
/** @enum {string} */
export type TaxBehavior = "exclusive" | "inclusive";
export type TaxBreakdownEntry = {
    jurisdiction_id: string;
    tax_type: TaxType;
    /** @description The tax that stands instead of sales tax, with its own return */
    levied_as: string | null;
    category: RateCategory;
    rate: number;
    /** @description In minor units of the currency */
    taxable_amount: number;
    /** @description In minor units of the currency */
    tax_amount: number;
};
export type TaxComparison = {
    provider: string;
    /** @description The tax of the other service */
    tax_amount: number;
    /** @description Our tax minus the tax of the other service */
    difference: number;
    reason: DifferenceReason;
    /** @description The one change of the sale for which the other figure is right */
    detail: string;
    /** @description Null if the request gives no lines to compare */
    lines: LineComparison[] | null;
};
export type TaxJarProfile = {
    enabled: boolean;
    /** @description Null: the currency of the country that an order leaves */
    currency: string | null;
    /** @description Whether to answer with the rate of a state alone if its local rates are missing */
    accept_state_only: boolean;
};
export type TaxJarProfileRequest = {
    enabled?: boolean;
    /** @description ISO 4217. Null: the currency of the country that an order leaves */
    currency?: string | null;
    /** @description `true`: answer with the rate of a state alone if its local rates are missing */
    accept_state_only?: boolean;
};
export type TaxLine = {
    reference: string | null;
    /** @description In minor units of the currency */
    amount: number;
    quantity: number;
    product_type: ProductTypeId;
    description: string | null;
    tax_behavior: TaxBehavior;
    /** @description In minor units of the currency */
    discount: number;
    /** @description In minor units of the currency */
    net_amount: number;
    taxable: boolean;
    /** @description In minor units of the currency */
    taxable_amount: number;
    tax_rate: number;
    /** @description In minor units of the currency */
    tax_amount: number;
    taxability_reason: TaxabilityReason | null;
    reason_detail: string | null;
    tax_if_registered: number | null;
    tax_breakdown: TaxBreakdownEntry[];
    rule: RuleStatus;
    notes: string[];
};
export type TaxSoFar = {
    currency: string;
    /** @description In minor units of the currency */
    tax_amount: number;
};
/** @enum {string} */
export type TaxSource = "calculated" | "given";
/** @enum {string} */
export type TaxType = "VAT" | "GST" | "HST" | "PST" | "QST" | "RST" | "SALES_TAX" | "LODGING_TAX" | "MEALS_TAX" | "COMMUNICATIONS_TAX";
/** @enum {string} */
export type TaxabilityReason = "reduced_rated" | "zero_rated" | "product_exempt" | "portion_product_exempt" | "taxable_basis_reduced" | "customer_exempt" | "reverse_charge" | "not_collecting" | "marketplace_collects" | "small_business" | "not_subject_to_tax" | "not_supported" | "intra_community_supply" | "export";
export type TaxedJurisdiction = {
    id: string;
    name: string;
    type: JurisdictionType;
    region: LawRegion;
    currency: string;
    tax_system: string;
    coverage: Coverage;
};
export type Threshold = {
    id: string;
    jurisdiction_id: string;
    jurisdiction_name: string;
    threshold_type: string;
    scope: string;
    amount: number | null;
    currency: string;
    transaction_count: number | null;
    combinator: ("or" | "and") | null;
    amount_test: ThresholdTest;
    count_test: ThresholdTest;
    /** @description What the turnover in all countries has to pass too; null: the sales into the place decide alone */
    worldwide_amount: number | null;
    measurement_period: string | null;
    included_sales: string | null;
    /** Format: date */
    effective_from: string;
    effective_to: string | null;
    notes: string | null;
    source: string;
    source_url: string;
    last_verified_at: string | null;
    /** @description The publication that was read last, with its address; or `kept by hand, reviewed on` a day */
    verified_by: string;
    /** @description The day of which that publication speaks, if it names one */
    as_of: string | null;
    /** @description Since when a source says something else that is not believed yet; the record is stale until then */
    doubted_since: string | null;
};
export type ThresholdApproachingEvent = {
    /** @description The id of the event, the same for every attempt. The signature covers it */
    id: string;
    /** @constant */
    event: "threshold.approaching";
    /**
     * Format: date-time
     * @description When it happened
     */
    timestamp: string;
    data: MeasuredThresholdData;
};
export type ThresholdExceededEvent = {
    /** @description The id of the event, the same for every attempt. The signature covers it */
    id: string;
    /** @constant */
    event: "threshold.exceeded";
    /**
     * Format: date-time
     * @description When it happened
     */
    timestamp: string;
    data: MeasuredThresholdData;
};
export type ThresholdProgress = {
    /** @description In minor units of the currency */
    amount: number;
    currency: string;
    transaction_count: number;
    ratio: number;
};
/** @enum {string} */
export type ThresholdTest = "exceeds" | "reaches";
export type ThresholdUpdate = {
    jurisdiction_id: string;
    jurisdiction_name: string;
    threshold_type: string;
    old_amount: number | null;
    new_amount: number | null;
    currency: string;
    /** Format: date */
    effective_from: string;
};
export type ThresholdUpdatedEvent = {
    /** @description The id of the event, the same for every attempt. The signature covers it */
    id: string;
    /** @constant */
    event: "threshold.updated";
    /**
     * Format: date-time
     * @description When it happened
     */
    timestamp: string;
    data: ThresholdUpdate;
};
export type ThresholdsAnswer = {
    thresholds: Threshold[];
    total: number;
    /** @description Why the list is empty, if it is */
    notes: string[];
    meta: Meta;
    /** Format: date-time */
    queried_at: string;
};
/** @enum {string} */
export type Tier = "free" | "pro" | "enterprise";
export type TraceStep = {
    step: string;
    line: number | null;
    rule: string;
    outcome: string;
    basis: string | null;
};
export type Transaction = {
    id: string;
    external_id: string | null;
    customer: TransactionCustomer;
    line_items: TransactionLine[];
    /** @description In minor units of the currency */
    subtotal: number;
    /** @description In minor units of the currency */
    tax_amount: number;
    /** @description In minor units of the currency */
    total: number;
    currency: string;
    tax_rate: number;
    tax_source: TaxSource;
    tax_variance: number | null;
    jurisdiction_id: string;
    seller_registered: boolean;
    reverse_charge: boolean;
    status: TransactionStatus;
    /** @description In minor units of the currency */
    amount_refunded: number;
    /** @description In minor units of the currency */
    tax_refunded: number;
    /** @description The latest of `refunds` */
    refund?: Refund;
    refunds: Refund[];
    data_version: string | null;
    invoice_number: string | null;
    metadata: {
        [key: string]: string;
    };
    payments: PaymentAnswer[];
    evidence: EvidenceAnswer[];
    /** @description `sufficient`: two pieces of different types, or one of a provider, name the country */
    evidence_status: EvidenceStatus;
    ship_from: RecordedAddress | null;
    supplied_from: string | null;
    marketplace: RecordedMarketplace | null;
    consignment_number: string | null;
    /** @description Stays with the sale if the customer is erased */
    vat_proof: VatProofAnswer | null;
    /** @description The certificates that cover lines. They stay with the sale if the customer is erased */
    certificates: CertificateAnswer[];
    /** @description All discounts of the sale */
    discount_amount: number;
    /** @description The day of the sale that a credit note corrects */
    credited_day: string | null;
    /** Format: date-time */
    transaction_date: string;
    completed_at: string | null;
    /** Format: date-time */
    voided_at?: string;
    /**
     * Format: date-time
     * @description When the sale was replaced or deleted; it counts nowhere
     */
    superseded_at?: string;
    /** @description The sale that replaced it; null: it was deleted */
    superseded_by?: string | null;
    /** Format: date-time */
    created_at: string;
    /** Format: date-time */
    updated_at: string;
};
export type TransactionAnswer = {
    id: string;
    external_id: string | null;
    customer: TransactionCustomer;
    line_items: TransactionLine[];
    /** @description In minor units of the currency */
    subtotal: number;
    /** @description In minor units of the currency */
    tax_amount: number;
    /** @description In minor units of the currency */
    total: number;
    currency: string;
    tax_rate: number;
    tax_source: TaxSource;
    tax_variance: number | null;
    jurisdiction_id: string;
    seller_registered: boolean;
    reverse_charge: boolean;
    status: TransactionStatus;
    /** @description In minor units of the currency */
    amount_refunded: number;
    /** @description In minor units of the currency */
    tax_refunded: number;
    /** @description The latest of `refunds` */
    refund?: Refund;
    refunds: Refund[];
    data_version: string | null;
    invoice_number: string | null;
    metadata: {
        [key: string]: string;
    };
    payments: PaymentAnswer[];
    evidence: EvidenceAnswer[];
    /** @description `sufficient`: two pieces of different types, or one of a provider, name the country */
    evidence_status: EvidenceStatus;
    ship_from: RecordedAddress | null;
    supplied_from: string | null;
    marketplace: RecordedMarketplace | null;
    consignment_number: string | null;
    /** @description Stays with the sale if the customer is erased */
    vat_proof: VatProofAnswer | null;
    /** @description The certificates that cover lines. They stay with the sale if the customer is erased */
    certificates: CertificateAnswer[];
    /** @description All discounts of the sale */
    discount_amount: number;
    /** @description The day of the sale that a credit note corrects */
    credited_day: string | null;
    /** Format: date-time */
    transaction_date: string;
    completed_at: string | null;
    /** Format: date-time */
    voided_at?: string;
    /**
     * Format: date-time
     * @description When the sale was replaced or deleted; it counts nowhere
     */
    superseded_at?: string;
    /** @description The sale that replaced it; null: it was deleted */
    superseded_by?: string | null;
    /** Format: date-time */
    created_at: string;
    /** Format: date-time */
    updated_at: string;
    /** Format: date-time */
    queried_at: string;
};
export type TransactionBatchAnswer = {
    results: TransactionBatchResult[];
    summary: BatchSummary;
    /** Format: date-time */
    queried_at: string;
};
export type TransactionBatchRequest = {
    /** @description One that is refused does not affect the others and has its error in the results */
    transactions: TransactionRequest[];
};
export type TransactionBatchResult = {
    /** @description The position of the item in the request, from 0 */
    index: number;
    success: boolean;
    data?: Transaction;
    error?: ItemError;
};
export type TransactionCreatedEvent = {
    /** @description The id of the event, the same for every attempt. The signature covers it */
    id: string;
    /** @constant */
    event: "transaction.created";
    /**
     * Format: date-time
     * @description When it happened
     */
    timestamp: string;
    data: CreatedTransaction;
};
export type TransactionCustomer = {
    id: string | null;
    vat_id: string | null;
    address: RecordedAddress;
};
export type TransactionLine = {
    id: string;
    /** @description In minor units of the currency */
    amount: number;
    quantity: number;
    product_type: string;
    description: string | null;
    reference: string | null;
    /** @description What was taken off the price: `amount` is what remains */
    discount: number;
    taxable: boolean;
    /** @description In minor units of the currency */
    net_amount: number;
    /** @description In minor units of the currency */
    taxable_amount: number;
    tax_rate: number;
    /** @description In minor units of the currency */
    tax_amount: number;
    taxability_reason: TaxabilityReason | null;
    reason_detail: string | null;
    tax_breakdown: TaxBreakdownEntry[];
};
export type TransactionLineRequest = {
    /** @description The price of the whole line, in minor units; negative for a credit */
    amount: number;
    quantity?: number;
    product_type: ProductTypeOrCode;
    description?: string | null;
    /** @description `false`: no tax on this line, even if the law taxes it */
    taxable?: boolean;
    /** @description Left out: the `tax_behavior` of the request */
    tax_behavior?: TaxBehavior;
    /** @description As a fraction, such as 0.19 */
    tax_rate?: number | null;
    /** @description The tax of the invoice, in minor units. Give it for every line, or for no line to have it calculated */
    tax_amount?: number | null;
    /** @description Your own name for the line */
    reference?: string | null;
    /** @description Taken off the amount before tax, in minor units. The recorded amount is what remains */
    discount?: number;
    /** @description An event that is streamed while it takes place */
    live?: boolean;
};
export type TransactionRefundedEvent = {
    /** @description The id of the event, the same for every attempt. The signature covers it */
    id: string;
    /** @constant */
    event: "transaction.refunded";
    /**
     * Format: date-time
     * @description When it happened
     */
    timestamp: string;
    data: RefundedTransaction;
};
export type TransactionReportAnswer = {
    transactions: ReportRow[];
    limit: number;
    has_more: boolean;
    next_cursor: string | null;
    /** Format: date-time */
    queried_at: string;
};
export type TransactionRequest = {
    /** @description Your own reference, unique in the account */
    external_id?: string | null;
    /** @description The id of a customer on file */
    customer_id?: string | null;
    customer?: SaleCustomerRequest;
    /** @description The answer of POST /v1/calculate, to record it as it is, instead of currency, line_items and shipping_cost */
    calculation?: RecordedCalculation;
    /** @description Required unless `calculation` is given */
    line_items?: TransactionLineRequest[];
    /** @description Recorded as a line of product type `shipping` */
    shipping_cost?: TransactionShipping | null;
    /** @description A discount on the whole sale, in minor units. Shared between the lines by their prices */
    discount_amount?: number;
    /** @description Where the goods leave from */
    ship_from?: AddressRequest | null;
    /** @description The member state of the fixed establishment that supplied the services. It changes no tax: the return of the one-stop shop names it. Left out: the place of the seller */
    supplied_from?: string | null;
    marketplace?: MarketplaceRequest | null;
    invoice_number?: string | null;
    /** @description Of the delivery, if you are directly involved in it. The records of IOSS need it */
    consignment_number?: string | null;
    /** @description Left out: the last answer about the VAT id of the customer on file */
    vat_proof?: VatProofRequest | null;
    metadata?: {
        [key: string]: string;
    };
    payments?: Payment[];
    evidence?: Evidence[];
    /** @description ISO 4217. Required unless `calculation` is given */
    currency?: string;
    /** @description Where the sale is taxed. Left out: decided by the addresses */
    jurisdiction_id?: string | null;
    seller_registered?: boolean | null;
    /** @description Left out: the account's profile and registrations */
    seller?: SellerRequest;
    /** @description The place of an event, of a property or of a service that is taxed where it takes place */
    supply_address?: AddressRequest | null;
    /** @description For all lines without one of their own. Left out: `exclusive` */
    tax_behavior?: TaxBehavior;
    /** @description Left out: `line` */
    rounding?: Rounding;
    /**
     * @description Left out: `completed`
     * @enum {string}
     */
    status?: "pending" | "completed";
    /** @description Left out: now. A date is that day in the time zone of the account */
    transaction_date?: string | null;
    /** @description The sale that this credit note corrects. Returns list it as a correction of the period of that sale */
    credit_note_for?: CreditNoteFor | null;
};
export type TransactionShipping = {
    amount: number;
    tax_behavior?: TaxBehavior;
    tax_rate?: number | null;
    /** @description Required if the lines state their tax */
    tax_amount?: number | null;
};
/** @enum {string} */
export type TransactionStatus = "pending" | "completed" | "refunded" | "voided" | "superseded";
export type TransactionsAnswer = {
    transactions: Transaction[];
    /** @description Null if `customer_id`, `currency`, `product_type` or `external_id_prefix` is given */
    total: number | null;
    limit: number;
    offset: number;
    has_more: boolean;
    next_cursor: string | null;
    /** Format: date-time */
    queried_at: string;
};
/** @enum {string} */
export type Treatment = "taxable" | "reduced" | "zero_rated" | "exempt" | "partially_taxable";
export type UncheckedAddressRequest = {
    /** @description Its code in any case, or its English name */
    country: string;
    region?: string | null;
    city?: string | null;
    postal_code?: string | null;
    line1?: string | null;
    line2?: string | null;
};
export type UnconvertedSales = {
    currency: string;
    /** @description In minor units of the currency */
    taxable_amount: number;
    /** @description In minor units of the currency */
    tax_amount: number;
    message: string;
};
/** @enum {string} */
export type UnionScheme = "oss_union" | "oss_non_union" | "ioss";
export type Usage = {
    stored: number;
    quota: number;
};
export type UsageAnswer = {
    tier: Tier;
    requests_per_minute: number;
    /** @description Questions to the authorities that confirm VAT ids */
    questions_per_minute: number;
    lines_per_request: number;
    usage: {
        transaction_lines: Usage;
        refunds: Usage;
        customers: Usage;
        exemptions: Usage;
        /** @description Lines that filed returns keep */
        filed_rows: Usage;
        webhooks: Usage;
        registrations: Usage;
        /** @description Keys that are not revoked */
        api_keys: Usage;
    };
    /** Format: date-time */
    queried_at: string;
};
export type UsedExchangeRate = {
    currency: string;
    /** @description The period, the month or the day whose sales the rate converts */
    period: string;
    rate: number;
    /** @description Who published the rate, or `request` */
    source: string;
    /** @description The day for which it was published, or the first day of its month. Null: from the request */
    rate_day: string | null;
};
export type ValidateAddressAnswer = {
    valid: boolean;
    address: Address;
    /** @description Null where the address is not valid, or no tax data covers it */
    jurisdiction_id: string | null;
    special_territory: SpecialTerritory | null;
    changes: AddressChange[];
    issues: AddressIssue[];
    /** @description What was looked at, and what was not */
    checked: string;
    /** Format: date-time */
    queried_at: string;
};
export type ValidateAddressRequest = {
    address: UncheckedAddressRequest;
};
export type ValidateVatIdAnswer = {
    vat_id: string;
    country_code: string;
    vat_number: string;
    /** @description An outage of the authority is unavailable, never invalid */
    status: ValidationStatus;
    valid: boolean | null;
    format_valid: boolean;
    company_name: string | null;
    company_address: string | null;
    /** @description The proof of the inquiry: comes when the requester is one that the same authority knows */
    consultation_number: string | null;
    source: string | null;
    /** @description Why there is no answer, in the word of the authority, or why no call was needed */
    reason: string | null;
    cached: boolean;
    /** Format: date-time */
    checked_at: string;
    /** Format: date-time */
    queried_at: string;
};
export type ValidateVatIdRequest = {
    vat_id: string;
    /** @description The country that issued an id without a prefix */
    country?: string | null;
    /** @description Your own VAT id: the authority then gives a consultation number */
    requester_vat_id?: string | null;
};
/** @enum {string} */
export type ValidationStatus = "valid" | "invalid" | "unavailable";
/** @enum {string} */
export type VatAnswer = "valid" | "invalid";
export type VatCountriesAnswer = {
    countries: VatCountry[];
    total: number;
    /** Format: date-time */
    queried_at: string;
};
export type VatCountry = {
    country_code: string;
    vat_prefix: string;
    name: string;
    expected_format: string;
    example: string;
    online_validation: boolean;
    source: string;
};
export type VatFormatAnswer = {
    vat_id: string;
    country_code: string;
    format_valid: boolean;
    checksum_valid: boolean;
    expected_format: string | null;
    example: string | null;
    /** Format: date-time */
    queried_at: string;
};
export type VatIdChangedEvent = {
    /** @description The id of the event, the same for every attempt. The signature covers it */
    id: string;
    /** @constant */
    event: "vat_id.changed";
    /**
     * Format: date-time
     * @description When it happened
     */
    timestamp: string;
    data: ChangedVatId;
};
/** @enum {string} */
export type VatIdPolicy = "format" | "validated";
/** @enum {string} */
export type VatIdStatus = "none" | "valid" | "invalid" | "format_valid" | "format_invalid" | "not_a_customer_id";
export type VatProofAnswer = {
    vat_id: string;
    valid: boolean;
    /** @description The authority, or `caller` if the request gave the answer */
    source: string;
    consultation_number: string | null;
    /** Format: date-time */
    checked_at: string;
};
export type VatProofRequest = {
    valid: boolean;
    checked_at: string;
    /** @description The number that VIES or HMRC gave the answer */
    consultation_number?: string | null;
};
export type VatValidation = {
    vat_id: string;
    country_code: string;
    vat_number: string;
    /** @description An outage of the authority is unavailable, never invalid */
    status: ValidationStatus;
    valid: boolean | null;
    format_valid: boolean;
    company_name: string | null;
    company_address: string | null;
    /** @description The proof of the inquiry: comes when the requester is one that the same authority knows */
    consultation_number: string | null;
    source: string | null;
    /** @description Why there is no answer, in the word of the authority, or why no call was needed */
    reason: string | null;
    cached: boolean;
    /** Format: date-time */
    checked_at: string;
};
/** @enum {string} */
export type Verdict = "accept" | "refuse";
export type VoidAnswer = {
    id: string;
    /** @constant */
    status: "voided";
    /** Format: date-time */
    voided_at: string;
    /** Format: date-time */
    queried_at: string;
};
export type WebhookAnswer = {
    id: string;
    url: string;
    events: SubscribedEvent[];
    status: WebhookStatus;
    description: string | null;
    consecutive_failures: number;
    last_succeeded_at: string | null;
    /** Format: date-time */
    created_at: string;
    /** Format: date-time */
    updated_at: string;
    last_failed_at: string | null;
    /** @description Until when the secret before the last rotation also signs, in `webhook-signature`; null: it does not */
    previous_secret_until: string | null;
    /** Format: date-time */
    queried_at: string;
};
export type WebhookDisabledEvent = {
    /** @description The id of the event, the same for every attempt. The signature covers it */
    id: string;
    /** @constant */
    event: "webhook.disabled";
    /**
     * Format: date-time
     * @description When it happened
     */
    timestamp: string;
    data: DisabledWebhook;
};
export type WebhookRequest = {
    /** @description HTTPS, with a public host name, on port 443 or 8443 */
    url?: string;
    events?: SubscribedEvent[];
    /** @description `active` resets the count of failures */
    status?: WebhookStatus;
    description?: string | null;
};
/** @enum {string} */
export type WebhookStatus = "active" | "disabled";
export type WebhookTest = {
    webhook_id: string;
    message: string;
};
export type WebhookTestAnswer = {
    webhook_id: string;
    event_id: string;
    success: boolean;
    response_status: number | null;
    error: string | null;
    duration_ms: number;
    /** Format: date-time */
    queried_at: string;
};
export type WebhookTestEvent = {
    /** @description The id of the event, the same for every attempt. The signature covers it */
    id: string;
    /** @constant */
    event: "webhook.test";
    /**
     * Format: date-time
     * @description When it happened
     */
    timestamp: string;
    data: WebhookTest;
};
export type WebhooksAnswer = {
    webhooks: ListedWebhook[];
    total: number;
    limit: number;
    offset: number;
    has_more: boolean;
    /** Format: date-time */
    queried_at: string;
};
/** @enum {string} */
export type WeekendRule = "next_business_day" | "not_moved";
export type WithoutDatesAnswer = {
    registration_id: string;
    jurisdiction_id: string | null;
    scheme: Scheme | null;
    filing_frequency: FilingFrequency | null;
    message: string;
};
export type ErrorAnswer = {
    error_code: ErrorCode;
    /** @description A sentence for people */
    message: string;
    /** @description A word for programs. Each operation lists its reasons */
    reason: string;
    errors?: FieldError[];
    /** @description What the reason means, and what to do: a path of this service */
    doc_url: string;
    /** @description The same as X-Request-Id. Quote it if you ask for help */
    request_id: string;
};

/**
 * This file was auto-generated by openapi-typescript.
 * Do not make direct changes to the file.
 */

export interface paths {
    "/v1/calculate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Calculate tax for a transaction
         * @description Nothing is recorded. With `explain: true` the answer lists each rule that was applied, and why.
         *
         *     Needs the scope `tax:read`.
         */
        post: operations["postCalculate"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/calculate/batch": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Calculate up to 100 transactions, each on its own
         * @description A refused calculation has an error instead of data. A batch may use at most four data versions. Its calculations have at most 2,000 lines together, 500 of them with `explain` or `compare`.
         *
         *     Needs the scope `tax:read`.
         */
        post: operations["postCalculateBatch"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/rates": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Tax rates of a jurisdiction or region
         * @description Needs the scope `tax:read`.
         */
        get: operations["getRates"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/thresholds": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Nexus and registration thresholds
         * @description Needs the scope `tax:read`.
         */
        get: operations["getThresholds"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/decision/collect": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Decide whether tax has to be collected
         * @description Decides by your registrations. Without one, decides by the threshold and `sales`. If `sales` is left out, the recorded transactions count.
         *
         *     Needs the scope `tax:read`.
         */
        post: operations["postDecisionCollect"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/metadata/product-types": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the product types
         * @description Needs the scope `tax:read`.
         */
        get: operations["getMetadataProductTypes"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/account": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The account and its seller profile
         * @description Needs the scope `registrations:read`.
         */
        get: operations["getAccount"];
        /**
         * Change the seller profile
         * @description Omitted fields stay. A new country clears region and postal_code, unless they are given.
         *
         *     Needs the scope `registrations:write`.
         */
        put: operations["putAccount"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/account/usage": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The stored rows of the account and their quotas
         * @description A write that would pass a quota is refused as a whole, with `quota_exceeded`. Stored rows stay.
         *
         *     Needs the scope `registrations:read`.
         */
        get: operations["getAccountUsage"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/api-keys": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the API keys that are valid
         * @description Needs the scope `keys:read`.
         */
        get: operations["getApiKeys"];
        put?: never;
        /**
         * Create an API key
         * @description The key is shown once; the service only stores its hash.
         *
         *     Needs the scope `keys:write`.
         */
        post: operations["postApiKeys"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/api-keys/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Revoke an API key
         * @description A key can revoke itself, and keys whose scopes it has.
         *
         *     Needs the scope `keys:write`.
         */
        delete: operations["deleteApiKeysId"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/api-keys/{id}/rotate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Replace an API key by a new one
         * @description The old key stays valid for `grace_hours`, 24 by default; 0 ends it at once.
         *
         *     Needs the scope `keys:write`.
         */
        post: operations["postApiKeysIdRotate"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/registrations": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the registrations
         * @description Needs the scope `registrations:read`.
         */
        get: operations["getRegistrations"];
        put?: never;
        /**
         * Add a registration
         * @description You collect the tax of this jurisdiction or scheme from `valid_from` to `valid_to`.
         *
         *     Needs the scope `registrations:write`.
         */
        post: operations["postRegistrations"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/registrations/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * One registration
         * @description Needs the scope `registrations:read`.
         */
        get: operations["getRegistrationsId"];
        /**
         * Change a registration
         * @description Needs the scope `registrations:write`.
         */
        put: operations["putRegistrationsId"];
        post?: never;
        /**
         * Delete a registration
         * @description One that filed returns rest on cannot be deleted: end it with `valid_to`.
         *
         *     Needs the scope `registrations:write`.
         */
        delete: operations["deleteRegistrationsId"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/transactions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the transactions, newest first
         * @description `next_cursor` leads to the next page. A page costs the same at any depth. With `currency` or `product_type`, a page can have fewer rows than `limit` although more follow: go on while `has_more` is true.
         *
         *     Needs the scope `transactions:read`.
         */
        get: operations["getTransactions"];
        put?: never;
        /**
         * Record a transaction, with its tax given or calculated
         * @description If the lines have `tax_amount`, it is recorded as given, and `tax_variance` is its difference from the tax that the service calculates. Otherwise the calculated tax is recorded.
         *
         *     Needs the scope `transactions:write`.
         */
        post: operations["postTransactions"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/transactions/batch": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Record up to 50 transactions, each on its own
         * @description A refused transaction has an error instead of data; the others are recorded. The transactions have at most 2,000 lines together.
         *
         *     Needs the scope `transactions:write`.
         */
        post: operations["postTransactionsBatch"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/transactions/external/{externalId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * One transaction by your own reference
         * @description Needs the scope `transactions:read`.
         */
        get: operations["getTransactionsExternalExternalId"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/transactions/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * One transaction
         * @description Needs the scope `transactions:read`.
         */
        get: operations["getTransactionsId"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/transactions/{id}/refund": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Refund a completed transaction, wholly or in part
         * @description The tax is refunded in proportion. Several refunds of the whole amount add up to its tax, to the cent.
         *
         *     Needs the scope `transactions:write`.
         */
        post: operations["postTransactionsIdRefund"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/transactions/{id}/complete": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Complete a pending transaction
         * @description Needs the scope `transactions:write`.
         */
        post: operations["postTransactionsIdComplete"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/transactions/{id}/void": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Void a pending transaction
         * @description Needs the scope `transactions:write`.
         */
        post: operations["postTransactionsIdVoid"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/reports/summary": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Sales and tax by jurisdiction, month or product type
         * @description Needs the scope `reports:read`.
         */
        get: operations["getReportsSummary"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/reports/transactions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * One flat row per transaction, oldest first
         * @description Needs the scope `reports:read`.
         */
        get: operations["getReportsTransactions"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/reports/lines": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * One row per line and rate, with what refunds gave back, oldest first
         * @description With `type`, `period` and `figure`: the lines of a figure of a return, whose `figure_amount` adds up to it, in the currency of the sales.
         *
         *     Needs the scope `reports:read`.
         */
        get: operations["getReportsLines"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/reports/oss-records": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The records of a one-stop shop, line by line, oldest first
         * @description The items a to m of art. 63c of Implementing Regulation (EU) 282/2011. `missing` names the items that a record lacks. The same as CSV: `/v1/reports/export?report=oss_records`.
         *
         *     Needs the scope `reports:read`.
         */
        get: operations["getReportsOssRecords"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/reports/filing": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * A return in its official layout
         * @description Each figure that adds up sales has a link to their lines. A figure that sales alone do not determine is null, and its note says why.
         *
         *     Needs the scope `reports:read`.
         */
        get: operations["getReportsFiling"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/reports/filing/file": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * A return as a file for a tax office or an accountant
         * @description Of the filed figures if the period is filed. `X-Layout` says how sure the layout is: `verified` by the schema of the authority, `unverified` from documentation, or `own`. `X-Layout-Source` names its page.
         *
         *     Needs the scope `reports:read`.
         */
        get: operations["getReportsFilingFile"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/reports/export": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * A report as a CSV file
         * @description CSV by RFC 4180. An apostrophe is put before text that a spreadsheet would read as a formula.
         *
         *     Needs the scope `reports:read`.
         */
        get: operations["getReportsExport"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/returns": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the filed returns, newest first
         * @description Needs the scope `reports:read`.
         */
        get: operations["getReturns"];
        put?: never;
        /**
         * File a return: keep its figures and lines as they are
         * @description Sales and refunds of these days that are recorded later enter the next open return as corrections. This service sends nothing to a tax office.
         *
         *     Needs the scope `reports:write`.
         */
        post: operations["postReturns"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/returns/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * One filed return with its figures
         * @description Needs the scope `reports:read`.
         */
        get: operations["getReturnsId"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/returns/{id}/rows": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The lines behind a filed return, as they were when it was filed
         * @description Needs the scope `reports:read`.
         */
        get: operations["getReturnsIdRows"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/returns/{id}/file": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * A filed return as a file for a tax office or an accountant
         * @description `X-Layout` says how sure the layout is, and `X-Layout-Source` names its page.
         *
         *     Needs the scope `reports:read`.
         */
        get: operations["getReturnsIdFile"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/returns/{id}/reopen": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Open a filed period again; its return stays as an old version
         * @description Needs the scope `reports:write`.
         */
        post: operations["postReturnsIdReopen"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/obligations": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The returns that the registrations have to file, by due date
         * @description Set `filing_frequency` of a registration if it differs from the usual one. `without_dates` lists the registrations that the calendar does not know. The events `return.due` come 7 days before.
         *
         *     Needs the scope `reports:read`.
         */
        get: operations["getObligations"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/obligations/calendar": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Whether the account has a calendar address
         * @description Needs the scope `reports:read`.
         */
        get: operations["getObligationsCalendar"];
        put?: never;
        /**
         * Make a secret address for calendar programs; an old one stops at once
         * @description The address needs no key, and returns the due dates as text/calendar, without amounts. It is shown once.
         *
         *     Needs the scope `reports:write`.
         */
        post: operations["postObligationsCalendar"];
        /**
         * Revoke the calendar address
         * @description Needs the scope `reports:write`.
         */
        delete: operations["deleteObligationsCalendar"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/nexus": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * How close recorded sales are to each threshold, the closest first
         * @description Measured by each threshold's own period, basis and combination. `approaching` means over 85 %; `exceeded_on` is the day on which a threshold was passed.
         *
         *     Needs the scope `reports:read`.
         */
        get: operations["getNexus"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/metadata/jurisdictions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the jurisdictions
         * @description Needs the scope `tax:read`.
         */
        get: operations["getMetadataJurisdictions"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/metadata/jurisdictions/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * A jurisdiction with its current rates and thresholds
         * @description Needs the scope `tax:read`.
         */
        get: operations["getMetadataJurisdictionsId"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/metadata/jurisdictions/{id}/rates": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The rates of a jurisdiction of all days, past and announced ones too
         * @description Needs the scope `tax:read`.
         */
        get: operations["getMetadataJurisdictionsIdRates"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/metadata/coverage": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * For which products and places a rule is on file
         * @description Needs the scope `tax:read`.
         */
        get: operations["getMetadataCoverage"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/metadata/sync-status": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * How each region is kept fresh
         * @description `next_sync` is when the schedule asks next. A region is stale when nothing was verified for longer than its threshold.
         *
         *     Needs the scope `tax:read`.
         */
        get: operations["getMetadataSyncStatus"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/metadata/sync": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Synchronise a region now
         * @description Queues a run of the region's collector; the answer does not wait for it. See `/v1/metadata/sync-status`. A region can be requested once in 10 minutes.
         *
         *     Needs the scope `operator`.
         */
        post: operations["postMetadataSync"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/export/snapshot": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * All tax data, enough to calculate offline; with ETag, and as NDJSON where that is accepted
         * @description Send `If-None-Match` with the last ETag, and nothing is sent when nothing has changed. `Accept: application/x-ndjson` gives one fact a line.
         *
         *     Needs the scope `tax:read`.
         */
        get: operations["getExportSnapshot"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/metadata/reviews": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List what waits for a person
         * @description Readings of the collectors that were not believed, each beside the fact in force and with the text of its source, and the facts of low confidence with the day by which a person has to confirm them.
         *
         *     Needs the scope `operator`.
         */
        get: operations["getMetadataReviews"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/metadata/reviews/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Accept or refuse a reading, or confirm a fact
         * @description `accept` puts the proposed fact into force, or confirms the fact of low confidence. `refuse` keeps the fact in force, and the same reading is not asked about again. Both are audited.
         *
         *     Needs the scope `operator`.
         */
        post: operations["postMetadataReviewsId"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/vat/validate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Ask the authority whether a VAT id is registered
         * @description VIES for the EU and Northern Ireland, HMRC for Great Britain. An outage is `unavailable`, never `invalid`. A yes is remembered for a day, a no for an hour. An account can ask 10, 60 or 300 questions a minute, by its tier; beyond that, the answer is `unavailable`.
         *
         *     Needs the scope `tax:read`.
         */
        post: operations["postVatValidate"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/vat/format-check": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Check the form and the check digits of a VAT id, without asking anybody
         * @description Needs the scope `tax:read`.
         */
        get: operations["getVatFormatCheck"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/vat/countries": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the countries whose VAT ids can be checked
         * @description Needs the scope `tax:read`.
         */
        get: operations["getVatCountries"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/addresses/validate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Bring an address into its usual form, and tell what is wrong with it
         * @description Country, region, postal code and their agreement; no street is looked up. A country before the postal code is taken off: `FI-22100` becomes `22100`.
         *
         *     Needs the scope `tax:read`.
         */
        post: operations["postAddressesValidate"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/addresses/countries": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the countries
         * @description Needs the scope `tax:read`.
         */
        get: operations["getAddressesCountries"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/addresses/regions/{country}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the regions of a country
         * @description Needs the scope `tax:read`.
         */
        get: operations["getAddressesRegionsCountry"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/webhooks": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the webhooks
         * @description Needs the scope `webhooks:read`.
         */
        get: operations["getWebhooks"];
        put?: never;
        /**
         * Subscribe a URL to events
         * @description The secret is shown once. The URL must be HTTPS and public.
         *
         *     Needs the scope `webhooks:write`.
         */
        post: operations["postWebhooks"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/webhooks/events/list": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the event types
         * @description Needs the scope `webhooks:read`.
         */
        get: operations["getWebhooksEventsList"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/webhooks/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a webhook
         * @description Needs the scope `webhooks:read`.
         */
        get: operations["getWebhooksId"];
        /**
         * Change a webhook, or enable it again
         * @description `status: active` resets the count of failures and sends the missed events of the last three days.
         *
         *     Needs the scope `webhooks:write`.
         */
        put: operations["putWebhooksId"];
        post?: never;
        /**
         * Delete a webhook with its deliveries
         * @description Needs the scope `webhooks:write`.
         */
        delete: operations["deleteWebhooksId"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/webhooks/{id}/rotate-secret": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Replace the signing secret at once
         * @description Everything sent from now on is signed with the new secret, also repeated attempts. With `grace_hours`, `webhook-signature` contains the signatures of both secrets for so long.
         *
         *     Needs the scope `webhooks:write`.
         */
        post: operations["postWebhooksIdRotateSecret"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/webhooks/{id}/test": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send a test event now
         * @description Returns the answer of the receiver. A test is not recorded, and never counts as a failure.
         *
         *     Needs the scope `webhooks:write`.
         */
        post: operations["postWebhooksIdTest"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/webhooks/{id}/recover": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send the missed events of a webhook
         * @description Sends all events since a moment that the webhook never got, e.g. while it was disabled, and those whose deliveries failed, expired or wait. At most 500 of each at once.
         *
         *     Needs the scope `webhooks:write`.
         */
        post: operations["postWebhooksIdRecover"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/events": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the events of the last 30 days, the oldest first
         * @description The events that all accounts are told, and those of this account. Poll with `after` if you cannot receive webhooks.
         *
         *     Needs the scope `webhooks:read`.
         */
        get: operations["getEvents"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/webhooks/{id}/deliveries": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the deliveries of a webhook with their attempts
         * @description Needs the scope `webhooks:read`.
         */
        get: operations["getWebhooksIdDeliveries"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/webhooks/{id}/deliveries/{deliveryId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * One delivery with its attempts and what it sends
         * @description Needs the scope `webhooks:read`.
         */
        get: operations["getWebhooksIdDeliveriesDeliveryId"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/webhooks/{id}/deliveries/{deliveryId}/redeliver": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send a delivery again
         * @description Needs the scope `webhooks:write`.
         */
        post: operations["postWebhooksIdDeliveriesDeliveryIdRedeliver"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/audit-events": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List who changed what and when, newest first
         * @description A job seals new events within minutes in a chain of SHA-256 hashes. Nothing can change or delete an event unnoticed.
         *
         *     Needs the scope `audit:read`.
         */
        get: operations["getAuditEvents"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/customers": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the customers, newest first
         * @description Needs the scope `customers:read`.
         */
        get: operations["getCustomers"];
        put?: never;
        /**
         * Add a customer
         * @description Needs the scope `customers:write`.
         */
        post: operations["postCustomers"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/customers/external/{externalId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * One customer by your own reference
         * @description Needs the scope `customers:read`.
         */
        get: operations["getCustomersExternalExternalId"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/customers/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * One customer
         * @description Needs the scope `customers:read`.
         */
        get: operations["getCustomersId"];
        /**
         * Change a customer
         * @description Fields that are left out stay; an address or metadata is replaced as a whole. A new VAT id has to be validated again.
         *
         *     Needs the scope `customers:write`.
         */
        put: operations["putCustomersId"];
        post?: never;
        /**
         * Erase a customer and its exemptions
         * @description At once and for good. Recorded transactions stay, with the address that they were taxed by: the law asks for it.
         *
         *     Needs the scope `customers:write`.
         */
        delete: operations["deleteCustomersId"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/vat/validate-customer/{customerId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Validate the VAT id of a customer, and keep what the authority said
         * @description Where the authority does not answer, the customer stays as it is and is updated when it does: after 1 min, 10 min, 1 h, 6 h.
         *
         *     Needs the scope `vat:write`.
         */
        post: operations["postVatValidateCustomerCustomerId"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/customers/{id}/exemptions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the exemptions of a customer, newest first
         * @description Needs the scope `customers:read`.
         */
        get: operations["getCustomersIdExemptions"];
        put?: never;
        /**
         * Add an exemption to a customer, pending until it is verified
         * @description Needs the scope `customers:write`.
         */
        post: operations["postCustomersIdExemptions"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/exemptions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the exemptions of all customers, newest first
         * @description With `status=pending`: the certificates that wait for a review.
         *
         *     Needs the scope `customers:read`.
         */
        get: operations["getExemptions"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/customers/{id}/exemptions/check": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Whether a customer is exempt in a jurisdiction on a day
         * @description Needs the scope `customers:read`.
         */
        get: operations["getCustomersIdExemptionsCheck"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/customers/{id}/exemptions/{exemptionId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Change an exemption, verify or reject it
         * @description Needs the scope `customers:write`.
         */
        put: operations["putCustomersIdExemptionsExemptionId"];
        post?: never;
        /**
         * Delete an exemption
         * @description One that recorded sales rest on cannot be deleted: end it with `valid_to` or `status`. Erasing its customer deletes it, and the sales keep a copy.
         *
         *     Needs the scope `customers:write`.
         */
        delete: operations["deleteCustomersIdExemptionsExemptionId"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/health": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the health of the service
         * @description Checks the database, the cache and how fresh the data is. 503 if the service cannot answer.
         *
         *     Needs no key. At most 60 requests a minute from one address.
         */
        get: operations["getHealth"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/status": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the freshness of the tax data of each region
         * @description The answer is up to a minute old.
         *
         *     Needs no key. At most 60 requests a minute from one address.
         */
        get: operations["getStatus"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export interface webhooks {
    "rate.updated": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** A tax rate has been updated */
        post: operations["onRateUpdated"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "threshold.updated": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** A nexus threshold has been updated */
        post: operations["onThresholdUpdated"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "jurisdiction.added": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** A new jurisdiction has been added */
        post: operations["onJurisdictionAdded"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "sync.completed": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Data synchronisation completed */
        post: operations["onSyncCompleted"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "rule.updated": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** The treatment of a product has been updated */
        post: operations["onRuleUpdated"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "local_rates.updated": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Local rates of a state have been updated */
        post: operations["onLocalRatesUpdated"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "webhook.disabled": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Another webhook of the account was disabled after its failures */
        post: operations["onWebhookDisabled"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "exemption.expiring": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** A verified exemption certificate ends in 30 days or less */
        post: operations["onExemptionExpiring"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "exemption.expired": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** A verified exemption certificate has ended */
        post: operations["onExemptionExpired"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "return.due": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** A return that is not filed is due in 7 days or less */
        post: operations["onReturnDue"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "threshold.approaching": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Recorded sales are over 85 % of a threshold */
        post: operations["onThresholdApproaching"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "threshold.exceeded": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Recorded sales have passed a threshold */
        post: operations["onThresholdExceeded"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "vat_id.changed": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** A later check of a customer's VAT id had another result */
        post: operations["onVatIdChanged"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "transaction.created": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** A transaction was recorded. `*` does not contain this type */
        post: operations["onTransactionCreated"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "transaction.refunded": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** A transaction was refunded. `*` does not contain this type */
        post: operations["onTransactionRefunded"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "webhook.test": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** A test event, sent by `POST /v1/webhooks/{id}/test` */
        post: operations["onWebhookTest"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export interface components {
    schemas: {
        AccountAnswer: AccountAnswer;
        AccountRequest: AccountRequest;
        Address: Address;
        AddressChange: AddressChange;
        AddressField: AddressField;
        AddressIssue: AddressIssue;
        AddressRequest: AddressRequest;
        AllExemptionsAnswer: AllExemptionsAnswer;
        ApiKey: ApiKey;
        ApiKeysAnswer: ApiKeysAnswer;
        AppliedExemption: AppliedExemption;
        Attention: Attention;
        AuditEvent: AuditEvent;
        AuditEventsAnswer: AuditEventsAnswer;
        AuditSeal: AuditSeal;
        AuditedField: AuditedField;
        BatchSummary: BatchSummary;
        CalculateAnswer: CalculateAnswer;
        CalculateBatchAnswer: CalculateBatchAnswer;
        CalculateBatchRequest: CalculateBatchRequest;
        CalculateBatchResult: CalculateBatchResult;
        CalculateLineRequest: CalculateLineRequest;
        CalculateRequest: CalculateRequest;
        Calculation: Calculation;
        CalculationCustomer: CalculationCustomer;
        CalendarFeedAnswer: CalendarFeedAnswer;
        CalendarFeedDeleted: CalendarFeedDeleted;
        CertificateAnswer: CertificateAnswer;
        ChangedVatId: ChangedVatId;
        CheckStatus: CheckStatus;
        CollectDecision: CollectDecision;
        CollectedRegionId: CollectedRegionId;
        CollectorRun: CollectorRun;
        CompareRequest: CompareRequest;
        CompletedSync: CompletedSync;
        CountriesAnswer: CountriesAnswer;
        Country: Country;
        CountryRegion: CountryRegion;
        Coverage: Coverage;
        CoverageAnswer: CoverageAnswer;
        CreatedTransaction: CreatedTransaction;
        CreditNoteFor: CreditNoteFor;
        Customer: Customer;
        CustomerAnswer: CustomerAnswer;
        CustomerExemption: CustomerExemption;
        CustomerRequest: CustomerRequest;
        CustomerType: CustomerType;
        CustomerValidationAnswer: CustomerValidationAnswer;
        CustomersAnswer: CustomersAnswer;
        DailyExchangeRates: DailyExchangeRates;
        DecidingSellerRequest: DecidingSellerRequest;
        DecisionAnswer: DecisionAnswer;
        DecisionReason: DecisionReason;
        DecisionRequest: DecisionRequest;
        DecisionStep: DecisionStep;
        DeletedAnswer: DeletedAnswer;
        DeliveriesAnswer: DeliveriesAnswer;
        Delivery: Delivery;
        DeliveryAnswer: DeliveryAnswer;
        DeliveryAttempt: DeliveryAttempt;
        DeliveryStatus: DeliveryStatus;
        DeliveryWithPayloadAnswer: DeliveryWithPayloadAnswer;
        DifferenceReason: DifferenceReason;
        DisabledWebhook: DisabledWebhook;
        DueReturnData: DueReturnData;
        EndingExemption: EndingExemption;
        ErrorCode: ErrorCode;
        EventType: EventType;
        EventTypeId: EventTypeId;
        EventTypesAnswer: EventTypesAnswer;
        EventsAnswer: EventsAnswer;
        Evidence: Evidence;
        EvidenceAnswer: EvidenceAnswer;
        EvidenceStatus: EvidenceStatus;
        EvidenceType: EvidenceType;
        ExemptByReason: ExemptByReason;
        Exemption: Exemption;
        ExemptionAnswer: ExemptionAnswer;
        ExemptionCheckAnswer: ExemptionCheckAnswer;
        ExemptionExpiredEvent: ExemptionExpiredEvent;
        ExemptionExpiringEvent: ExemptionExpiringEvent;
        ExemptionRequest: ExemptionRequest;
        ExemptionStatus: ExemptionStatus;
        ExemptionType: ExemptionType;
        ExemptionsAnswer: ExemptionsAnswer;
        FactInWords: FactInWords;
        FactToConfirm: FactToConfirm;
        Fallback: Fallback;
        FieldError: FieldError;
        FileFormatName: FileFormatName;
        FiledAs: FiledAs;
        FiledFigures: FiledFigures;
        FiledObligation: FiledObligation;
        FiledReturn: FiledReturn;
        FilingAnswer: FilingAnswer;
        FilingBox: FilingBox;
        FilingCorrection: FilingCorrection;
        FilingFrequency: FilingFrequency;
        FilingProfile: FilingProfile;
        FilingSeller: FilingSeller;
        FilingSupply: FilingSupply;
        FilingTax: FilingTax;
        FilingTotals: FilingTotals;
        FilingType: FilingType;
        Freshness: Freshness;
        GrantableScope: GrantableScope;
        HealthAnswer: HealthAnswer;
        HealthCheck: HealthCheck;
        HmrcVatReturn: HmrcVatReturn;
        HolidayToReview: HolidayToReview;
        ItemError: ItemError;
        Jurisdiction: Jurisdiction;
        JurisdictionAddedEvent: JurisdictionAddedEvent;
        JurisdictionAnswer: JurisdictionAnswer;
        JurisdictionType: JurisdictionType;
        JurisdictionsAnswer: JurisdictionsAnswer;
        LawRegion: LawRegion;
        LineComparison: LineComparison;
        LineEntryKind: LineEntryKind;
        LinesAnswer: LinesAnswer;
        ListedEvent: ListedEvent;
        ListedWebhook: ListedWebhook;
        LocalBlock: LocalBlock;
        LocalCandidateAnswer: LocalCandidateAnswer;
        LocalPart: LocalPart;
        LocalRateChange: LocalRateChange;
        LocalRatesUpdate: LocalRatesUpdate;
        LocalRatesUpdatedEvent: LocalRatesUpdatedEvent;
        MarketplaceRequest: MarketplaceRequest;
        MarketplaceRole: MarketplaceRole;
        MeasuredThresholdData: MeasuredThresholdData;
        Meta: Meta;
        MissingItem: MissingItem;
        NewApiKeyAnswer: NewApiKeyAnswer;
        NewApiKeyRequest: NewApiKeyRequest;
        NewCalendarFeedAnswer: NewCalendarFeedAnswer;
        NewExemptionRequest: NewExemptionRequest;
        NewJurisdiction: NewJurisdiction;
        NewWebhookAnswer: NewWebhookAnswer;
        NewWebhookRequest: NewWebhookRequest;
        NexusAnswer: NexusAnswer;
        NexusExposure: NexusExposure;
        Obligation: Obligation;
        ObligationStatus: ObligationStatus;
        ObligationsAnswer: ObligationsAnswer;
        OssRecord: OssRecord;
        OssRecordsAnswer: OssRecordsAnswer;
        Payment: Payment;
        PaymentAnswer: PaymentAnswer;
        ProductCoverage: ProductCoverage;
        ProductType: ProductType;
        ProductTypeId: ProductTypeId;
        ProductTypeOrCode: ProductTypeOrCode;
        ProductTypesAnswer: ProductTypesAnswer;
        Rate: Rate;
        RateCategory: RateCategory;
        RateHistoryAnswer: RateHistoryAnswer;
        RateType: RateType;
        RateUpdate: RateUpdate;
        RateUpdatedEvent: RateUpdatedEvent;
        RatesAnswer: RatesAnswer;
        RecordedAddress: RecordedAddress;
        RecordedCalculation: RecordedCalculation;
        RecordedMarketplace: RecordedMarketplace;
        RecordedSalesRequest: RecordedSalesRequest;
        RecoverAnswer: RecoverAnswer;
        RecoverRequest: RecoverRequest;
        Refund: Refund;
        RefundAnswer: RefundAnswer;
        RefundLineRequest: RefundLineRequest;
        RefundRequest: RefundRequest;
        RefundedLine: RefundedLine;
        RefundedTransaction: RefundedTransaction;
        RegionId: RegionId;
        RegionStatus: RegionStatus;
        RegionsAnswer: RegionsAnswer;
        Registration: Registration;
        RegistrationAnswer: RegistrationAnswer;
        RegistrationRequest: RegistrationRequest;
        RegistrationsAnswer: RegistrationsAnswer;
        ReopenRequest: ReopenRequest;
        ReportLine: ReportLine;
        ReportRow: ReportRow;
        ReturnAnswer: ReturnAnswer;
        ReturnDueEvent: ReturnDueEvent;
        ReturnRequest: ReturnRequest;
        ReturnRowsAnswer: ReturnRowsAnswer;
        ReturnStatus: ReturnStatus;
        ReturnsAnswer: ReturnsAnswer;
        Review: Review;
        ReviewDecided: ReviewDecided;
        ReviewDecision: ReviewDecision;
        ReviewStatus: ReviewStatus;
        ReviewsAnswer: ReviewsAnswer;
        RotateApiKeyRequest: RotateApiKeyRequest;
        RotateSecretRequest: RotateSecretRequest;
        RotatedApiKeyAnswer: RotatedApiKeyAnswer;
        RotatedSecretAnswer: RotatedSecretAnswer;
        Rounding: Rounding;
        RuleStatus: RuleStatus;
        RuleUpdate: RuleUpdate;
        RuleUpdatedEvent: RuleUpdatedEvent;
        SaleCustomerRequest: SaleCustomerRequest;
        Scheme: Scheme;
        Scope: Scope;
        SellerRequest: SellerRequest;
        SentEvent: SentEvent;
        ShippingRequest: ShippingRequest;
        ShippingTax: ShippingTax;
        SnapshotAnswer: SnapshotAnswer;
        SoldKind: SoldKind;
        SourceDocument: SourceDocument;
        SourceOfPart: SourceOfPart;
        SpecialTerritory: SpecialTerritory;
        StatusAnswer: StatusAnswer;
        SubscribedEvent: SubscribedEvent;
        SummaryAnswer: SummaryAnswer;
        SummaryGrouping: SummaryGrouping;
        SummaryRow: SummaryRow;
        SummaryTotals: SummaryTotals;
        SyncAnswer: SyncAnswer;
        SyncCompletedEvent: SyncCompletedEvent;
        SyncRequest: SyncRequest;
        SyncStatusAnswer: SyncStatusAnswer;
        SyncedRegion: SyncedRegion;
        TaxBehavior: TaxBehavior;
        TaxBreakdownEntry: TaxBreakdownEntry;
        TaxComparison: TaxComparison;
        TaxJarProfile: TaxJarProfile;
        TaxJarProfileRequest: TaxJarProfileRequest;
        TaxLine: TaxLine;
        TaxSoFar: TaxSoFar;
        TaxSource: TaxSource;
        TaxType: TaxType;
        TaxabilityReason: TaxabilityReason;
        TaxedJurisdiction: TaxedJurisdiction;
        Threshold: Threshold;
        ThresholdApproachingEvent: ThresholdApproachingEvent;
        ThresholdExceededEvent: ThresholdExceededEvent;
        ThresholdProgress: ThresholdProgress;
        ThresholdTest: ThresholdTest;
        ThresholdUpdate: ThresholdUpdate;
        ThresholdUpdatedEvent: ThresholdUpdatedEvent;
        ThresholdsAnswer: ThresholdsAnswer;
        Tier: Tier;
        TraceStep: TraceStep;
        Transaction: Transaction;
        TransactionAnswer: TransactionAnswer;
        TransactionBatchAnswer: TransactionBatchAnswer;
        TransactionBatchRequest: TransactionBatchRequest;
        TransactionBatchResult: TransactionBatchResult;
        TransactionCreatedEvent: TransactionCreatedEvent;
        TransactionCustomer: TransactionCustomer;
        TransactionLine: TransactionLine;
        TransactionLineRequest: TransactionLineRequest;
        TransactionRefundedEvent: TransactionRefundedEvent;
        TransactionReportAnswer: TransactionReportAnswer;
        TransactionRequest: TransactionRequest;
        TransactionShipping: TransactionShipping;
        TransactionStatus: TransactionStatus;
        TransactionsAnswer: TransactionsAnswer;
        Treatment: Treatment;
        UncheckedAddressRequest: UncheckedAddressRequest;
        UnconvertedSales: UnconvertedSales;
        UnionScheme: UnionScheme;
        Usage: Usage;
        UsageAnswer: UsageAnswer;
        UsedExchangeRate: UsedExchangeRate;
        ValidateAddressAnswer: ValidateAddressAnswer;
        ValidateAddressRequest: ValidateAddressRequest;
        ValidateVatIdAnswer: ValidateVatIdAnswer;
        ValidateVatIdRequest: ValidateVatIdRequest;
        ValidationStatus: ValidationStatus;
        VatAnswer: VatAnswer;
        VatCountriesAnswer: VatCountriesAnswer;
        VatCountry: VatCountry;
        VatFormatAnswer: VatFormatAnswer;
        VatIdChangedEvent: VatIdChangedEvent;
        VatIdPolicy: VatIdPolicy;
        VatIdStatus: VatIdStatus;
        VatProofAnswer: VatProofAnswer;
        VatProofRequest: VatProofRequest;
        VatValidation: VatValidation;
        Verdict: Verdict;
        VoidAnswer: VoidAnswer;
        WebhookAnswer: WebhookAnswer;
        WebhookDisabledEvent: WebhookDisabledEvent;
        WebhookRequest: WebhookRequest;
        WebhookStatus: WebhookStatus;
        WebhookTest: WebhookTest;
        WebhookTestAnswer: WebhookTestAnswer;
        WebhookTestEvent: WebhookTestEvent;
        WebhooksAnswer: WebhooksAnswer;
        WeekendRule: WeekendRule;
        WithoutDatesAnswer: WithoutDatesAnswer;
        ErrorAnswer: ErrorAnswer;
    };
    responses: never;
    parameters: never;
    requestBodies: never;
    headers: never;
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    postCalculate: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": CalculateRequest;
            };
        };
        responses: {
            /** @description Calculate tax for a transaction */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": CalculateAnswer;
                };
            };
            /** @description An error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": ErrorAnswer;
                };
            };
        };
    };
    postCalculateBatch: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": CalculateBatchRequest;
            };
        };
        responses: {
            /** @description Calculate up to 100 transactions, each on its own */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": CalculateBatchAnswer;
                };
            };
            /** @description An error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": ErrorAnswer;
                };
            };
        };
    };
    getRates: {
        parameters: {
            query?: {
                /** @description The id of a jurisdiction, such as `FR` or `US-CA` */
                jurisdiction?: string;
                /** @description All rates of a region; `US-TAX` is the same as `US` */
                region?: "EU" | "UK" | "US" | "CA" | "AU" | "NZ" | "US-TAX";
                /** @description The day whose law applies, in the time zone of the account. Left out: today there */
                date?: string;
                /** @description Only the rates for this product */
                product_type?: ProductTypeOrCode;
                /** @description With `postal_code`: the country of the address */
                country?: string;
                /** @description In place of `jurisdiction`; `94105-1234` gives the local taxes of the address too */
                postal_code?: string;
                /** @description With `postal_code`: the city of the address */
                city?: string;
                /** @description An earlier version of the tax data */
                data_version?: string;
            };
            header?: {
                /** @description The ETag of the answer that you have: 304 if it has not changed, but for `queried_at` */
                "If-None-Match"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Tax rates of a jurisdiction or region */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": RatesAnswer;
                };
            };
            /** @description An error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": ErrorAnswer;
                };
            };
        };
    };
    getThresholds: {
        parameters: {
            query?: {
                /** @description The id of a jurisdiction, such as `FR` or `US-CA` */
                jurisdiction?: string;
                /** @description The thresholds of a region */
                region?: LawRegion;
                /** @description Such as `DISTANCE_SALES` or `REMOTE_SELLER_NEXUS` */
                type?: string;
                /** @description The day whose law applies, in the time zone of the account. Left out: today there */
                date?: string;
            };
            header?: {
                /** @description The ETag of the answer that you have: 304 if it has not changed, but for `queried_at` */
                "If-None-Match"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Nexus and registration thresholds */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": ThresholdsAnswer;
                };
            };
            /** @description An error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": ErrorAnswer;
                };
            };
        };
    };
    postDecisionCollect: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": DecisionRequest;
            };
        };
        responses: {
            /** @description Decide whether tax has to be collected */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": DecisionAnswer;
                };
            };
            /** @description An error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": ErrorAnswer;
                };
            };
        };
    };
    getMetadataProductTypes: {
        parameters: {
            query?: never;
            header?: {
                /** @description The ETag of the answer that you have: 304 if it has not changed, but for `queried_at` */
                "If-None-Match"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description List the product types */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": ProductTypesAnswer;
                };
            };
            /** @description An error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": ErrorAnswer;
                };
            };
        };
    };
    getAccount: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The account and its seller profile */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": AccountAnswer;
                };
            };
            /** @description An error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": ErrorAnswer;
                };
            };
        };
    };
    putAccount: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": AccountRequest;
            };
        };
        responses: {
            /** @description Change the seller profile */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": AccountAnswer;
                };
            };
            /** @description An error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": ErrorAnswer;
                };
            };
        };
    };
    getAccountUsage: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The stored rows of the account and their quotas */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": UsageAnswer;
                };
            };
            /** @description An error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": ErrorAnswer;
                };
            };
        };
    };
    getApiKeys: {
        parameters: {
            query?: {
                /** @description The most rows in one answer */
                limit?: number;
                /** @description How many rows to skip before the page */
                offset?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description List the API keys that are valid */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": ApiKeysAnswer;
                };
            };
            /** @description An error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": ErrorAnswer;
                };
            };
        };
    };
    postApiKeys: {
        parameters: {
            query?: never;
            header?: {
                /** @description Any text. For 24 hours, the same key and body return the first answer, and nothing is done twice */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": NewApiKeyRequest;
            };
        };
        responses: {
            /** @description Create an API key */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": NewApiKeyAnswer;
                };
            };
            /** @description An error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": ErrorAnswer;
                };
            };
        };
    };
    deleteApiKeysId: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the key, `key_…` */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Revoke an API key */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": DeletedAnswer;
                };
            };
            /** @description An error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": ErrorAnswer;
                };
            };
        };
    };
    postApiKeysIdRotate: {
        parameters: {
            query?: never;
            header?: {
                /** @description Any text. For 24 hours, the same key and body return the first answer, and nothing is done twice */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @description The id of the key, `key_…` */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": RotateApiKeyRequest;
            };
        };
        responses: {
            /** @description Replace an API key by a new one */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": RotatedApiKeyAnswer;
                };
            };
            /** @description An error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": ErrorAnswer;
                };
            };
        };
    };
    getRegistrations: {
        parameters: {
            query?: {
                /** @description The most rows in one answer */
                limit?: number;
                /** @description How many rows to skip before the page */
                offset?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description List the registrations */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": RegistrationsAnswer;
                };
            };
            /** @description An error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": ErrorAnswer;
                };
            };
        };
    };
    postRegistrations: {
        parameters: {
            query?: never;
            header?: {
                /** @description Any text. For 24 hours, the same key and body return the first answer, and nothing is done twice */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": RegistrationRequest;
            };
        };
        responses: {
            /** @description Add a registration */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": RegistrationAnswer;
                };
            };
            /** @description An error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": ErrorAnswer;
                };
            };
        };
    };
    getRegistrationsId: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the registration, `reg_…` */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One registration */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": RegistrationAnswer;
                };
            };
            /** @description An error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": ErrorAnswer;
                };
            };
        };
    };
    putRegistrationsId: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the registration, `reg_…` */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": RegistrationRequest;
            };
        };
        responses: {
            /** @description Change a registration */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": RegistrationAnswer;
                };
            };
            /** @description An error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": ErrorAnswer;
                };
            };
        };
    };
    deleteRegistrationsId: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the registration, `reg_…` */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Delete a registration */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": DeletedAnswer;
                };
            };
            /** @description An error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": ErrorAnswer;
                };
            };
        };
    };
    getTransactions: {
        parameters: {
            query?: {
                /** @description The most rows in one answer */
                limit?: number;
                /** @description How many rows to skip before the page */
                offset?: number;
                /** @description `next_cursor` of the previous page: the list continues after it */
                cursor?: string;
                /** @description The first day, in the time zone of the account */
                from_date?: string;
                /** @description The last day, in the time zone of the account */
                to_date?: string;
                /** @description Only transactions of this jurisdiction */
                jurisdiction_id?: string;
                /** @description Only transactions with this status */
                status?: TransactionStatus;
                /** @description Only transactions of this customer on file */
                customer_id?: string;
                /** @description Only transactions in this currency */
                currency?: string;
                /** @description Only transactions with a line of this type */
                product_type?: ProductTypeOrCode;
                /** @description Only transactions whose `external_id` begins with this text; at most 1,000 may */
                external_id_prefix?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description List the transactions, newest first */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": TransactionsAnswer;
                };
            };
            /** @description An error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": ErrorAnswer;
                };
            };
        };
    };
    postTransactions: {
        parameters: {
            query?: never;
            header?: {
                /** @description Any text. For 24 hours, the same key and body return the first answer, and nothing is done twice */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": TransactionRequest;
            };
        };
        responses: {
            /** @description Record a transaction, with its tax given or calculated */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": TransactionAnswer;
                };
            };
            /** @description An error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": ErrorAnswer;
                };
            };
        };
    };
    postTransactionsBatch: {
        parameters: {
            query?: never;
            header?: {
                /** @description Any text. For 24 hours, the same key and body return the first answer, and nothing is done twice */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": TransactionBatchRequest;
            };
        };
        responses: {
            /** @description Record up to 50 transactions, each on its own */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": TransactionBatchAnswer;
                };
            };
            /** @description An error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": ErrorAnswer;
                };
            };
        };
    };
    getTransactionsExternalExternalId: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Your own reference */
                externalId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One transaction by your own reference */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": TransactionAnswer;
                };
            };
            /** @description An error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": ErrorAnswer;
                };
            };
        };
    };
    getTransactionsId: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the transaction, `txn_…` */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One transaction */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": TransactionAnswer;
                };
            };
            /** @description An error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": ErrorAnswer;
                };
            };
        };
    };
    postTransactionsIdRefund: {
        parameters: {
            query?: never;
            header?: {
                /** @description Any text. For 24 hours, the same key and body return the first answer, and nothing is done twice */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @description The id of the transaction, `txn_…` */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": RefundRequest;
            };
        };
        responses: {
            /** @description Refund a completed transaction, wholly or in part */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": RefundAnswer;
                };
            };
            /** @description An error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": ErrorAnswer;
                };
            };
        };
    };
    postTransactionsIdComplete: {
        parameters: {
            query?: never;
            header?: {
                /** @description Any text. For 24 hours, the same key and body return the first answer, and nothing is done twice */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @description The id of the transaction, `txn_…` */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Complete a pending transaction */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": TransactionAnswer;
                };
            };
            /** @description An error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": ErrorAnswer;
                };
            };
        };
    };
    postTransactionsIdVoid: {
        parameters: {
            query?: never;
            header?: {
                /** @description Any text. For 24 hours, the same key and body return the first answer, and nothing is done twice */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @description The id of the transaction, `txn_…` */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Void a pending transaction */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": VoidAnswer;
                };
            };
            /** @description An error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": ErrorAnswer;
                };
            };
        };
    };
    getReportsSummary: {
        parameters: {
            query: {
                /** @description The first day, in the time zone of the account */
                from_date: string;
                /** @description The last day, in the time zone of the account */
                to_date: string;
                /** @description Left out: `jurisdiction` */
                group_by?: SummaryGrouping;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Sales and tax by jurisdiction, month or product type */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": SummaryAnswer;
                };
            };
            /** @description An error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": ErrorAnswer;
                };
            };
        };
    };
    getReportsTransactions: {
        parameters: {
            query?: {
                /** @description The first day, in the time zone of the account */
                from_date?: string;
                /** @description The last day, in the time zone of the account */
                to_date?: string;
                /** @description Only transactions of this jurisdiction */
                jurisdiction_id?: string;
                /** @description Left out: `completed` and `refunded` */
                status?: TransactionStatus;
                /** @description Only transactions in this currency */
                currency?: string;
                /** @description Only those with a line taxed there or in a part of it */
                place_of_supply?: string;
                /** @description Only those with a line declared under this scheme */
                scheme?: "oss_union" | "oss_non_union" | "ioss" | "ca_simplified" | "qc_specified" | "tx_single_local" | "al_ssut" | "none";
                /** @description Only those with a line of this rate, such as `0.19` */
                tax_rate?: string;
                /** @description Only those with a line of this kind */
                kind?: SoldKind;
                /** @description Only those of this customer on file */
                customer_id?: string;
                /** @description Only those with a line of this type */
                product_type?: ProductTypeOrCode;
                /** @description Only those whose `external_id` begins with this text */
                external_id_prefix?: string;
                /** @description Only those refunded on this day or later */
                refunded_from?: string;
                /** @description Only those refunded on this day or earlier */
                refunded_to?: string;
                /** @description The most rows in one answer */
                limit?: number;
                /** @description `next_cursor` of the previous page: the list continues after it */
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One flat row per transaction, oldest first */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": TransactionReportAnswer;
                };
            };
            /** @description An error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": ErrorAnswer;
                };
            };
        };
    };
    getReportsLines: {
        parameters: {
            query?: {
                /** @description The first day, in the time zone of the account */
                from_date?: string;
                /** @description The last day, in the time zone of the account */
                to_date?: string;
                /** @description With `period` and `figure`: the lines of that figure of a return */
                type?: FilingType;
                /** @description A year `2026`, a quarter `2026-Q3`, a month `2026-09` or several months `2026-07..2026-12` */
                period?: string;
                /** @description A figure of the return, as its link names it */
                figure?: string;
                /** @description The exchange rates of the return, if the request gave any */
                fx_rates?: string;
                /** @description Only lines of transactions of this jurisdiction */
                jurisdiction_id?: string;
                /** @description Only lines taxed there or in a part of it */
                place_of_supply?: string;
                /** @description Only lines declared under this scheme */
                scheme?: "oss_union" | "oss_non_union" | "ioss" | "ca_simplified" | "qc_specified" | "tx_single_local" | "al_ssut" | "none";
                /** @description Only lines in this currency */
                currency?: string;
                /** @description Only the lines of this transaction */
                transaction_id?: string;
                /** @description Only sold lines, or only what refunds gave back */
                entry?: LineEntryKind;
                /** @description The most rows in one answer */
                limit?: number;
                /** @description `next_cursor` of the previous page: the list continues after it */
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One row per line and rate, with what refunds gave back, oldest first */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": LinesAnswer;
                };
            };
            /** @description An error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": ErrorAnswer;
                };
            };
        };
    };
    getReportsOssRecords: {
        parameters: {
            query: {
                /** @description The one-stop shop */
                scheme: UnionScheme;
                /** @description The first day, in the time zone of the account */
                from_date: string;
                /** @description The last day, in the time zone of the account */
                to_date: string;
                /** @description The most rows in one answer */
                limit?: number;
                /** @description `next_cursor` of the previous page: the list continues after it */
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The records of a one-stop shop, line by line, oldest first */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": OssRecordsAnswer;
                };
            };
            /** @description An error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": ErrorAnswer;
                };
            };
        };
    };
    getReportsFiling: {
        parameters: {
            query: {
                /** @description The form of the return. EU: `oss_union`, `oss_non_union`, `ioss`, `eu_domestic`; UK: `uk_vat100`; US: `us_state`; CA: `ca_gst34`; AU: `au_bas`; NZ: `nz_gst101a`; for all others `generic` */
                type: FilingType;
                /** @description A year `2026`, a quarter `2026-Q3`, a month `2026-09` or several months `2026-07..2026-12` */
                period: string;
                /** @description For forms of one state: this state. Required for `eu_domestic` */
                jurisdiction_id?: string;
                /** @description Exchange rates, such as `USD:1.0812`: USD for one unit of the currency of the return. `2026-Q2:USD:1.1` is the rate of a corrected period, a month or a day. They replace published rates */
                fx_rates?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A return in its official layout */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": FilingAnswer;
                };
            };
            /** @description An error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": ErrorAnswer;
                };
            };
        };
    };
    getReportsFilingFile: {
        parameters: {
            query: {
                /** @description The form of the return. EU: `oss_union`, `oss_non_union`, `ioss`, `eu_domestic`; UK: `uk_vat100`; US: `us_state`; CA: `ca_gst34`; AU: `au_bas`; NZ: `nz_gst101a`; for all others `generic` */
                type: FilingType;
                /** @description A year `2026`, a quarter `2026-Q3`, a month `2026-09` or several months `2026-07..2026-12` */
                period: string;
                /** @description For forms of one state: this state. Required for `eu_domestic` */
                jurisdiction_id?: string;
                /** @description Exchange rates, such as `USD:1.0812`: USD for one unit of the currency of the return. `2026-Q2:USD:1.1` is the rate of a corrected period, a month or a day. They replace published rates */
                fx_rates?: string;
                /** @description The layout of the file. Left out: `csv` */
                format?: FileFormatName;
                /** @description For `hmrc_mtd_json`: the key of the obligation */
                period_key?: string;
                /** @description For `hmrc_mtd_json`: VAT due on acquisitions, in pence */
                box_2?: string;
                /** @description For `hmrc_mtd_json`: VAT reclaimed, in pence */
                box_4?: string;
                /** @description For `hmrc_mtd_json`: purchases without VAT, in pence */
                box_7?: string;
                /** @description For `hmrc_mtd_json`: acquisitions without VAT, in pence */
                box_9?: string;
                /** @description For `hmrc_mtd_json`: the declaration that the return is final */
                finalised?: "true";
                /** @description For `datev_csv`: the number of the tax consultant */
                consultant?: string;
                /** @description For `datev_csv`: the number of the client */
                client?: string;
                /** @description For `datev_csv`: the chart of accounts */
                chart?: "skr03" | "skr04";
                /** @description For `datev_csv`: the account of all customers */
                debtor_account?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A return as a file for a tax office or an accountant */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/csv": string;
                    "application/json": HmrcVatReturn;
                    "application/xml": string;
                };
            };
            /** @description An error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": ErrorAnswer;
                };
            };
        };
    };
    getReportsExport: {
        parameters: {
            query: {
                /** @description Which report */
                report: "summary" | "transactions" | "lines" | "filing" | "oss_records";
                /** @description A figure of the return, as its link names it */
                figure?: string;
                /** @description The first day, in the time zone of the account */
                from_date?: string;
                /** @description The last day, in the time zone of the account */
                to_date?: string;
                /** @description Only transactions of this jurisdiction */
                jurisdiction_id?: string;
                /** @description Left out: `completed` and `refunded` */
                status?: TransactionStatus;
                /** @description Only transactions in this currency */
                currency?: string;
                /** @description Only those with a line taxed there or in a part of it */
                place_of_supply?: string;
                /** @description Only those with a line declared under this scheme */
                scheme?: "oss_union" | "oss_non_union" | "ioss" | "ca_simplified" | "qc_specified" | "tx_single_local" | "al_ssut" | "none";
                /** @description Only those with a line of this rate, such as `0.19` */
                tax_rate?: string;
                /** @description Only those with a line of this kind */
                kind?: SoldKind;
                /** @description Only those of this customer on file */
                customer_id?: string;
                /** @description Only those with a line of this type */
                product_type?: ProductTypeOrCode;
                /** @description Only those whose `external_id` begins with this text */
                external_id_prefix?: string;
                /** @description Only those refunded on this day or later */
                refunded_from?: string;
                /** @description Only those refunded on this day or earlier */
                refunded_to?: string;
                /** @description For a summary. Left out: `jurisdiction` */
                group_by?: SummaryGrouping;
                /** @description For a return: its form */
                type?: FilingType;
                /** @description A year `2026`, a quarter `2026-Q3`, a month `2026-09` or several months `2026-07..2026-12` */
                period?: string;
                /** @description Exchange rates, such as `USD:1.0812`: USD for one unit of the currency of the return. `2026-Q2:USD:1.1` is the rate of a corrected period, a month or a day. They replace published rates */
                fx_rates?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A report as a CSV file */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/csv": string;
                };
            };
            /** @description An error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": ErrorAnswer;
                };
            };
        };
    };
    getReturns: {
        parameters: {
            query?: {
                /** @description The most rows in one answer */
                limit?: number;
                /** @description How many rows to skip before the page */
                offset?: number;
                /** @description Only returns of this form */
                type?: FilingType;
                /** @description Only returns with this status */
                status?: ReturnStatus;
                /** @description Only the versions of this period */
                period?: string;
                /** @description Only returns of this jurisdiction */
                jurisdiction_id?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description List the filed returns, newest first */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": ReturnsAnswer;
                };
            };
            /** @description An error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": ErrorAnswer;
                };
            };
        };
    };
    postReturns: {
        parameters: {
            query?: never;
            header?: {
                /** @description Any text. For 24 hours, the same key and body return the first answer, and nothing is done twice */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": ReturnRequest;
            };
        };
        responses: {
            /** @description File a return: keep its figures and lines as they are */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": ReturnAnswer;
                };
            };
            /** @description An error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": ErrorAnswer;
                };
            };
        };
    };
    getReturnsId: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the return, `ret_…` */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One filed return with its figures */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": ReturnAnswer;
                };
            };
            /** @description An error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": ErrorAnswer;
                };
            };
        };
    };
    getReturnsIdRows: {
        parameters: {
            query?: {
                /** @description Only the lines of this figure */
                figure?: string;
                /** @description The most rows in one answer */
                limit?: number;
                /** @description `next_cursor` of the previous page: the list continues after it */
                cursor?: string;
            };
            header?: never;
            path: {
                /** @description The id of the return, `ret_…` */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The lines behind a filed return, as they were when it was filed */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": ReturnRowsAnswer;
                };
            };
            /** @description An error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": ErrorAnswer;
                };
            };
        };
    };
    getReturnsIdFile: {
        parameters: {
            query?: {
                /** @description The layout of the file. Left out: `csv` */
                format?: FileFormatName;
                /** @description For `hmrc_mtd_json`: the key of the obligation */
                period_key?: string;
                /** @description For `hmrc_mtd_json`: VAT due on acquisitions, in pence */
                box_2?: string;
                /** @description For `hmrc_mtd_json`: VAT reclaimed, in pence */
                box_4?: string;
                /** @description For `hmrc_mtd_json`: purchases without VAT, in pence */
                box_7?: string;
                /** @description For `hmrc_mtd_json`: acquisitions without VAT, in pence */
                box_9?: string;
                /** @description For `hmrc_mtd_json`: the declaration that the return is final */
                finalised?: "true";
                /** @description For `datev_csv`: the number of the tax consultant */
                consultant?: string;
                /** @description For `datev_csv`: the number of the client */
                client?: string;
                /** @description For `datev_csv`: the chart of accounts */
                chart?: "skr03" | "skr04";
                /** @description For `datev_csv`: the account of all customers */
                debtor_account?: string;
            };
            header?: never;
            path: {
                /** @description The id of the return, `ret_…` */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A filed return as a file for a tax office or an accountant */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/csv": string;
                    "application/json": HmrcVatReturn;
                    "application/xml": string;
                };
            };
            /** @description An error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": ErrorAnswer;
                };
            };
        };
    };
    postReturnsIdReopen: {
        parameters: {
            query?: never;
            header?: {
                /** @description Any text. For 24 hours, the same key and body return the first answer, and nothing is done twice */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @description The id of the return, `ret_…` */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": ReopenRequest;
            };
        };
        responses: {
            /** @description Open a filed period again; its return stays as an old version */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": ReturnAnswer;
                };
            };
            /** @description An error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": ErrorAnswer;
                };
            };
        };
    };
    getObligations: {
        parameters: {
            query?: {
                /** @description The first due date. Left out: today in the account */
                from?: string;
                /** @description The last due date, at most 400 days later. Left out: 92 days later */
                to?: string;
                /** @description The most rows in one answer */
                limit?: number;
                /** @description How many rows to skip before the page */
                offset?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The returns that the registrations have to file, by due date */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": ObligationsAnswer;
                };
            };
            /** @description An error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": ErrorAnswer;
                };
            };
        };
    };
    getObligationsCalendar: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Whether the account has a calendar address */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": CalendarFeedAnswer;
                };
            };
            /** @description An error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": ErrorAnswer;
                };
            };
        };
    };
    postObligationsCalendar: {
        parameters: {
            query?: never;
            header?: {
                /** @description Any text. For 24 hours, the same key and body return the first answer, and nothing is done twice */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Make a secret address for calendar programs; an old one stops at once */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": NewCalendarFeedAnswer;
                };
            };
            /** @description An error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": ErrorAnswer;
                };
            };
        };
    };
    deleteObligationsCalendar: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Revoke the calendar address */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": CalendarFeedDeleted;
                };
            };
            /** @description An error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": ErrorAnswer;
                };
            };
        };
    };
    getNexus: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description How close recorded sales are to each threshold, the closest first */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": NexusAnswer;
                };
            };
            /** @description An error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": ErrorAnswer;
                };
            };
        };
    };
    getMetadataJurisdictions: {
        parameters: {
            query?: {
                /** @description Only those of a region */
                region?: LawRegion;
                /** @description Only those of a type */
                type?: JurisdictionType;
                /** @description Only the parts of this jurisdiction */
                parent_id?: string;
                /** @description The most rows in one answer */
                limit?: number;
                /** @description How many rows to skip before the page */
                offset?: number;
            };
            header?: {
                /** @description The ETag of the answer that you have: 304 if it has not changed, but for `queried_at` */
                "If-None-Match"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description List the jurisdictions */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": JurisdictionsAnswer;
                };
            };
            /** @description An error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": ErrorAnswer;
                };
            };
        };
    };
    getMetadataJurisdictionsId: {
        parameters: {
            query?: never;
            header?: {
                /** @description The ETag of the answer that you have: 304 if it has not changed, but for `queried_at` */
                "If-None-Match"?: string;
            };
            path: {
                /** @description The id of the jurisdiction, such as `FR` or `US-CA`, in either case */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A jurisdiction with its current rates and thresholds */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": JurisdictionAnswer;
                };
            };
            /** @description An error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": ErrorAnswer;
                };
            };
        };
    };
    getMetadataJurisdictionsIdRates: {
        parameters: {
            query?: {
                /** @description The most rows in one answer */
                limit?: number;
                /** @description How many rows to skip before the page */
                offset?: number;
            };
            header?: {
                /** @description The ETag of the answer that you have: 304 if it has not changed, but for `queried_at` */
                "If-None-Match"?: string;
            };
            path: {
                /** @description The id of the jurisdiction, such as `FR` or `US-CA`, in either case */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The rates of a jurisdiction of all days, past and announced ones too */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": RateHistoryAnswer;
                };
            };
            /** @description An error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": ErrorAnswer;
                };
            };
        };
    };
    getMetadataCoverage: {
        parameters: {
            query?: {
                /** @description Only this place */
                jurisdiction?: string;
                /** @description Only this product */
                product_type?: ProductTypeOrCode;
                /** @description The most rows in one answer */
                limit?: number;
                /** @description How many rows to skip before the page */
                offset?: number;
            };
            header?: {
                /** @description The ETag of the answer that you have: 304 if it has not changed, but for `queried_at` */
                "If-None-Match"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description For which products and places a rule is on file */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": CoverageAnswer;
                };
            };
            /** @description An error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": ErrorAnswer;
                };
            };
        };
    };
    getMetadataSyncStatus: {
        parameters: {
            query?: never;
            header?: {
                /** @description The ETag of the answer that you have: 304 if it has not changed, but for `queried_at` */
                "If-None-Match"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description How each region is kept fresh */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": SyncStatusAnswer;
                };
            };
            /** @description An error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": ErrorAnswer;
                };
            };
        };
    };
    postMetadataSync: {
        parameters: {
            query?: never;
            header?: {
                /** @description Any text. For 24 hours, the same key and body return the first answer, and nothing is done twice */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": SyncRequest;
            };
        };
        responses: {
            /** @description Synchronise a region now */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": SyncAnswer;
                };
            };
            /** @description An error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": ErrorAnswer;
                };
            };
        };
    };
    getExportSnapshot: {
        parameters: {
            query?: {
                /** @description A state of the United States, such as `US-CA`, whose local taxes are added */
                local?: string;
            };
            header?: {
                /** @description The ETag of the snapshot that you have: 304 if it has not changed */
                "If-None-Match"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description All tax data, enough to calculate offline; with ETag, and as NDJSON where that is accepted */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": SnapshotAnswer;
                };
            };
            /** @description An error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": ErrorAnswer;
                };
            };
        };
    };
    getMetadataReviews: {
        parameters: {
            query?: {
                /** @description Only reviews in this state. Default: those not decided */
                status?: ReviewStatus;
                /** @description Only those of a collected region */
                region?: "EU" | "UK" | "US" | "US-TAX" | "CA" | "AU" | "TAXABILITY" | "NZ" | "FX-ECB" | "FX-HMRC" | "FX-BOC" | "US-LOCAL";
                /** @description The most rows in one answer */
                limit?: number;
                /** @description How many rows to skip before the page */
                offset?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description List what waits for a person */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": ReviewsAnswer;
                };
            };
            /** @description An error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": ErrorAnswer;
                };
            };
        };
    };
    postMetadataReviewsId: {
        parameters: {
            query?: never;
            header?: {
                /** @description Any text. For 24 hours, the same key and body return the first answer, and nothing is done twice */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @description The id of a review, or of a fact of low confidence */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": ReviewDecision;
            };
        };
        responses: {
            /** @description Accept or refuse a reading, or confirm a fact */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": ReviewDecided;
                };
            };
            /** @description An error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": ErrorAnswer;
                };
            };
        };
    };
    postVatValidate: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": ValidateVatIdRequest;
            };
        };
        responses: {
            /** @description Ask the authority whether a VAT id is registered */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": ValidateVatIdAnswer;
                };
            };
            /** @description An error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": ErrorAnswer;
                };
            };
        };
    };
    getVatFormatCheck: {
        parameters: {
            query: {
                /** @description With or without its prefix; spaces, dots and hyphens do not count */
                vat_id: string;
                /** @description The country that issued an id without a prefix */
                country?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Check the form and the check digits of a VAT id, without asking anybody */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": VatFormatAnswer;
                };
            };
            /** @description An error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": ErrorAnswer;
                };
            };
        };
    };
    getVatCountries: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description List the countries whose VAT ids can be checked */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": VatCountriesAnswer;
                };
            };
            /** @description An error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": ErrorAnswer;
                };
            };
        };
    };
    postAddressesValidate: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": ValidateAddressRequest;
            };
        };
        responses: {
            /** @description Bring an address into its usual form, and tell what is wrong with it */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": ValidateAddressAnswer;
                };
            };
            /** @description An error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": ErrorAnswer;
                };
            };
        };
    };
    getAddressesCountries: {
        parameters: {
            query?: never;
            header?: {
                /** @description The ETag of the answer that you have: 304 if it has not changed, but for `queried_at` */
                "If-None-Match"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description List the countries */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": CountriesAnswer;
                };
            };
            /** @description An error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": ErrorAnswer;
                };
            };
        };
    };
    getAddressesRegionsCountry: {
        parameters: {
            query?: never;
            header?: {
                /** @description The ETag of the answer that you have: 304 if it has not changed, but for `queried_at` */
                "If-None-Match"?: string;
            };
            path: {
                /** @description ISO 3166-1 alpha-2, in either case */
                country: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description List the regions of a country */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": RegionsAnswer;
                };
            };
            /** @description An error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": ErrorAnswer;
                };
            };
        };
    };
    getWebhooks: {
        parameters: {
            query?: {
                /** @description The most rows in one answer */
                limit?: number;
                /** @description How many rows to skip before the page */
                offset?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description List the webhooks */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": WebhooksAnswer;
                };
            };
            /** @description An error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": ErrorAnswer;
                };
            };
        };
    };
    postWebhooks: {
        parameters: {
            query?: never;
            header?: {
                /** @description Any text. For 24 hours, the same key and body return the first answer, and nothing is done twice */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": NewWebhookRequest;
            };
        };
        responses: {
            /** @description Subscribe a URL to events */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": NewWebhookAnswer;
                };
            };
            /** @description An error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": ErrorAnswer;
                };
            };
        };
    };
    getWebhooksEventsList: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description List the event types */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": EventTypesAnswer;
                };
            };
            /** @description An error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": ErrorAnswer;
                };
            };
        };
    };
    getWebhooksId: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the webhook, `wh_…` */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Get a webhook */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": WebhookAnswer;
                };
            };
            /** @description An error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": ErrorAnswer;
                };
            };
        };
    };
    putWebhooksId: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the webhook, `wh_…` */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": WebhookRequest;
            };
        };
        responses: {
            /** @description Change a webhook, or enable it again */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": WebhookAnswer;
                };
            };
            /** @description An error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": ErrorAnswer;
                };
            };
        };
    };
    deleteWebhooksId: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the webhook, `wh_…` */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Delete a webhook with its deliveries */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": DeletedAnswer;
                };
            };
            /** @description An error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": ErrorAnswer;
                };
            };
        };
    };
    postWebhooksIdRotateSecret: {
        parameters: {
            query?: never;
            header?: {
                /** @description Any text. For 24 hours, the same key and body return the first answer, and nothing is done twice */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @description The id of the webhook, `wh_…` */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": RotateSecretRequest;
            };
        };
        responses: {
            /** @description Replace the signing secret at once */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": RotatedSecretAnswer;
                };
            };
            /** @description An error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": ErrorAnswer;
                };
            };
        };
    };
    postWebhooksIdTest: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the webhook, `wh_…` */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Send a test event now */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": WebhookTestAnswer;
                };
            };
            /** @description An error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": ErrorAnswer;
                };
            };
        };
    };
    postWebhooksIdRecover: {
        parameters: {
            query?: never;
            header?: {
                /** @description Any text. For 24 hours, the same key and body return the first answer, and nothing is done twice */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @description The id of the webhook, `wh_…` */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": RecoverRequest;
            };
        };
        responses: {
            /** @description Send the missed events of a webhook */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": RecoverAnswer;
                };
            };
            /** @description An error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": ErrorAnswer;
                };
            };
        };
    };
    getEvents: {
        parameters: {
            query?: {
                /** @description Only events of this type */
                type?: EventTypeId;
                /** @description Only events after this one: `next_after` of the last page, or a timestamp */
                after?: string;
                /** @description The most rows in one answer */
                limit?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description List the events of the last 30 days, the oldest first */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": EventsAnswer;
                };
            };
            /** @description An error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": ErrorAnswer;
                };
            };
        };
    };
    getWebhooksIdDeliveries: {
        parameters: {
            query?: {
                /** @description Only deliveries with this status */
                status?: DeliveryStatus;
                /** @description The most rows in one answer */
                limit?: number;
                /** @description `next_cursor` of the previous page: the list continues after it */
                cursor?: string;
            };
            header?: never;
            path: {
                /** @description The id of the webhook, `wh_…` */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description List the deliveries of a webhook with their attempts */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": DeliveriesAnswer;
                };
            };
            /** @description An error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": ErrorAnswer;
                };
            };
        };
    };
    getWebhooksIdDeliveriesDeliveryId: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the webhook, `wh_…` */
                id: string;
                /** @description The id of the delivery, `dlv_…` */
                deliveryId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One delivery with its attempts and what it sends */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": DeliveryWithPayloadAnswer;
                };
            };
            /** @description An error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": ErrorAnswer;
                };
            };
        };
    };
    postWebhooksIdDeliveriesDeliveryIdRedeliver: {
        parameters: {
            query?: never;
            header?: {
                /** @description Any text. For 24 hours, the same key and body return the first answer, and nothing is done twice */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @description The id of the webhook, `wh_…` */
                id: string;
                /** @description The id of the delivery, `dlv_…` */
                deliveryId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Send a delivery again */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": DeliveryAnswer;
                };
            };
            /** @description An error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": ErrorAnswer;
                };
            };
        };
    };
    getAuditEvents: {
        parameters: {
            query?: {
                /** @description Only the events of this resource */
                resource_id?: string;
                /** @description The first day, in UTC */
                from_date?: string;
                /** @description The last day, in UTC */
                to_date?: string;
                /** @description The most rows in one answer */
                limit?: number;
                /** @description `next_cursor` of the previous page: the list continues after it */
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description List who changed what and when, newest first */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": AuditEventsAnswer;
                };
            };
            /** @description An error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": ErrorAnswer;
                };
            };
        };
    };
    getCustomers: {
        parameters: {
            query?: {
                /** @description The most rows in one answer */
                limit?: number;
                /** @description How many rows to skip before the page */
                offset?: number;
                /** @description Exactly as stored */
                email?: string;
                /** @description `next_cursor` of the previous page: the list continues after it */
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description List the customers, newest first */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": CustomersAnswer;
                };
            };
            /** @description An error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": ErrorAnswer;
                };
            };
        };
    };
    postCustomers: {
        parameters: {
            query?: never;
            header?: {
                /** @description Any text. For 24 hours, the same key and body return the first answer, and nothing is done twice */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": CustomerRequest;
            };
        };
        responses: {
            /** @description Add a customer */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": CustomerAnswer;
                };
            };
            /** @description An error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": ErrorAnswer;
                };
            };
        };
    };
    getCustomersExternalExternalId: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Your own reference */
                externalId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One customer by your own reference */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": CustomerAnswer;
                };
            };
            /** @description An error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": ErrorAnswer;
                };
            };
        };
    };
    getCustomersId: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the customer, `cust_…` */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One customer */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": CustomerAnswer;
                };
            };
            /** @description An error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": ErrorAnswer;
                };
            };
        };
    };
    putCustomersId: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the customer, `cust_…` */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": CustomerRequest;
            };
        };
        responses: {
            /** @description Change a customer */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": CustomerAnswer;
                };
            };
            /** @description An error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": ErrorAnswer;
                };
            };
        };
    };
    deleteCustomersId: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the customer, `cust_…` */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Erase a customer and its exemptions */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": DeletedAnswer;
                };
            };
            /** @description An error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": ErrorAnswer;
                };
            };
        };
    };
    postVatValidateCustomerCustomerId: {
        parameters: {
            query?: never;
            header?: {
                /** @description Any text. For 24 hours, the same key and body return the first answer, and nothing is done twice */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @description The id of the customer, `cust_…` */
                customerId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Validate the VAT id of a customer, and keep what the authority said */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": CustomerValidationAnswer;
                };
            };
            /** @description An error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": ErrorAnswer;
                };
            };
        };
    };
    getCustomersIdExemptions: {
        parameters: {
            query?: {
                /** @description The most rows in one answer */
                limit?: number;
                /** @description How many rows to skip before the page */
                offset?: number;
            };
            header?: never;
            path: {
                /** @description The id of the customer, `cust_…` */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description List the exemptions of a customer, newest first */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": ExemptionsAnswer;
                };
            };
            /** @description An error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": ErrorAnswer;
                };
            };
        };
    };
    postCustomersIdExemptions: {
        parameters: {
            query?: never;
            header?: {
                /** @description Any text. For 24 hours, the same key and body return the first answer, and nothing is done twice */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @description The id of the customer, `cust_…` */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": NewExemptionRequest;
            };
        };
        responses: {
            /** @description Add an exemption to a customer, pending until it is verified */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": ExemptionAnswer;
                };
            };
            /** @description An error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": ErrorAnswer;
                };
            };
        };
    };
    getExemptions: {
        parameters: {
            query?: {
                /** @description Only exemptions with this status */
                status?: ExemptionStatus;
                /** @description The most rows in one answer */
                limit?: number;
                /** @description `next_cursor` of the previous page: the list continues after it */
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description List the exemptions of all customers, newest first */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": AllExemptionsAnswer;
                };
            };
            /** @description An error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": ErrorAnswer;
                };
            };
        };
    };
    getCustomersIdExemptionsCheck: {
        parameters: {
            query: {
                /** @description Where the sale would be taxed */
                jurisdiction_id: string;
                /** @description The day of the sale. Left out: today in the time zone of the account */
                date?: string;
            };
            header?: never;
            path: {
                /** @description The id of the customer, `cust_…` */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Whether a customer is exempt in a jurisdiction on a day */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": ExemptionCheckAnswer;
                };
            };
            /** @description An error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": ErrorAnswer;
                };
            };
        };
    };
    putCustomersIdExemptionsExemptionId: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the customer, `cust_…` */
                id: string;
                /** @description The id of the exemption, `exm_…` */
                exemptionId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": ExemptionRequest;
            };
        };
        responses: {
            /** @description Change an exemption, verify or reject it */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": ExemptionAnswer;
                };
            };
            /** @description An error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": ErrorAnswer;
                };
            };
        };
    };
    deleteCustomersIdExemptionsExemptionId: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the customer, `cust_…` */
                id: string;
                /** @description The id of the exemption, `exm_…` */
                exemptionId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Delete an exemption */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": DeletedAnswer;
                };
            };
            /** @description An error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": ErrorAnswer;
                };
            };
        };
    };
    getHealth: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Get the health of the service */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": HealthAnswer;
                };
            };
            /** @description An error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": ErrorAnswer;
                };
            };
        };
    };
    getStatus: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Get the freshness of the tax data of each region */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": StatusAnswer;
                };
            };
            /** @description An error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": ErrorAnswer;
                };
            };
        };
    };
    onRateUpdated: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": RateUpdatedEvent;
            };
        };
        responses: {
            /** @description The event was accepted */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onThresholdUpdated: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": ThresholdUpdatedEvent;
            };
        };
        responses: {
            /** @description The event was accepted */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onJurisdictionAdded: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": JurisdictionAddedEvent;
            };
        };
        responses: {
            /** @description The event was accepted */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onSyncCompleted: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": SyncCompletedEvent;
            };
        };
        responses: {
            /** @description The event was accepted */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onRuleUpdated: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": RuleUpdatedEvent;
            };
        };
        responses: {
            /** @description The event was accepted */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onLocalRatesUpdated: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": LocalRatesUpdatedEvent;
            };
        };
        responses: {
            /** @description The event was accepted */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onWebhookDisabled: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": WebhookDisabledEvent;
            };
        };
        responses: {
            /** @description The event was accepted */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onExemptionExpiring: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": ExemptionExpiringEvent;
            };
        };
        responses: {
            /** @description The event was accepted */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onExemptionExpired: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": ExemptionExpiredEvent;
            };
        };
        responses: {
            /** @description The event was accepted */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onReturnDue: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": ReturnDueEvent;
            };
        };
        responses: {
            /** @description The event was accepted */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onThresholdApproaching: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": ThresholdApproachingEvent;
            };
        };
        responses: {
            /** @description The event was accepted */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onThresholdExceeded: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": ThresholdExceededEvent;
            };
        };
        responses: {
            /** @description The event was accepted */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onVatIdChanged: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": VatIdChangedEvent;
            };
        };
        responses: {
            /** @description The event was accepted */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onTransactionCreated: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": TransactionCreatedEvent;
            };
        };
        responses: {
            /** @description The event was accepted */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onTransactionRefunded: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": TransactionRefundedEvent;
            };
        };
        responses: {
            /** @description The event was accepted */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onWebhookTest: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": WebhookTestEvent;
            };
        };
        responses: {
            /** @description The event was accepted */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
}

/** The POSTs that take an Idempotency-Key. */
export const KEYED_POSTS: ReadonlySet<string> = new Set([
  '/v1/api-keys',
  '/v1/api-keys/{id}/rotate',
  '/v1/registrations',
  '/v1/transactions',
  '/v1/transactions/batch',
  '/v1/transactions/{id}/refund',
  '/v1/transactions/{id}/complete',
  '/v1/transactions/{id}/void',
  '/v1/returns',
  '/v1/returns/{id}/reopen',
  '/v1/obligations/calendar',
  '/v1/metadata/sync',
  '/v1/metadata/reviews/{id}',
  '/v1/webhooks',
  '/v1/webhooks/{id}/rotate-secret',
  '/v1/webhooks/{id}/recover',
  '/v1/webhooks/{id}/deliveries/{deliveryId}/redeliver',
  '/v1/customers',
  '/v1/vat/validate-customer/{customerId}',
  '/v1/customers/{id}/exemptions',
])
/** The POSTs that change nothing. */
export const ASKING_POSTS: ReadonlySet<string> = new Set([
  '/v1/calculate',
  '/v1/calculate/batch',
  '/v1/decision/collect',
  '/v1/vat/validate',
  '/v1/addresses/validate',
])
/** The reasons of errors. */
export type Reason =
  | 'invalid_api_key'
  | `missing_scope: ${string}`
  | 'taxjar_api_off'
  | 'route_not_found'
  | 'method_not_allowed'
  | 'not_found'
  | 'invalid_jurisdiction'
  | 'data_version_not_found'
  | 'invalid_request'
  | 'invalid_json'
  | 'invalid_content_type'
  | 'body_too_large'
  | 'nesting_too_deep'
  | 'region_required'
  | 'invalid_region'
  | 'invalid_postal_code'
  | 'region_postal_code_mismatch'
  | 'no_rate_for_date'
  | 'discount_exceeds_amount'
  | 'amount_out_of_range'
  | 'unknown_product_type'
  | 'unknown_jurisdiction'
  | 'api_key_not_active'
  | 'scope_not_grantable'
  | 'external_id_taken'
  | 'illegal_status_change'
  | 'exemption_in_use'
  | 'registration_in_use'
  | 'concurrent_change'
  | 'transaction_not_pending'
  | 'transaction_not_refundable'
  | 'transaction_not_replaceable'
  | 'refund_not_latest'
  | 'refund_exceeds_remaining'
  | 'review_decided'
  | 'review_proposes_nothing'
  | 'quota_exceeded'
  | 'too_many_webhooks_of_url'
  | 'period_not_ended'
  | 'period_already_filed'
  | 'return_not_filed'
  | 'file_incomplete'
  | 'return_too_large'
  | 'webhook_disabled'
  | 'delivery_pending'
  | 'idempotency_key_invalid'
  | 'idempotency_key_reused'
  | 'idempotency_key_in_use'
  | 'idempotency_answer_not_kept'
  | 'account_moving'
  | 'sync_too_soon'
  | 'rate_limited'
  | 'internal_error'
