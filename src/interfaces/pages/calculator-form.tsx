import type { Child } from 'hono/jsx'
import { regionsOf } from '../../platform/http/subdivisions.ts'
import type { FieldError } from '../../platform/errors.ts'
import { countryName } from '../../platform/http/country-name.ts'
import { COUNTRIES } from '../../platform/http/iso-codes.ts'
import { PRODUCT_TYPES } from '../../engine/book/product-types.ts'
import type { RateBook } from '../../engine/book/rate-book.ts'
import { REGIONAL } from '../../engine/regimes/list.ts'
import { type CalculatorFields, currenciesOf, errorOf, EXAMPLE } from './calculator.ts'

type Options = readonly (readonly [string, string])[]

const BUYERS: Options = [
  ['individual', 'consumer'],
  ['business', 'business'],
]
const PRICES: Options = [
  ['net', 'without tax'],
  ['gross', 'with tax'],
]
const PRODUCTS: Options = PRODUCT_TYPES.map(({ id, name }) => [id, name])

/** The fields with their labels. */
const LABELS: Readonly<Record<keyof CalculatorFields, string>> = {
  country: 'Sold to',
  region: 'State, province',
  postal_code: 'Postal code',
  city: 'City',
  from: 'Sold from',
  buyer: 'Sold to a',
  product_type: 'Product',
  amount: 'Price',
  currency: 'Currency',
  price: 'The price is',
}

/** The label of the field that an error names. */
export function labelOf({ path }: FieldError): string {
  return new Map(Object.entries(LABELS)).get(path) ?? path.replaceAll('_', ' ')
}

type FormView = { fields: CalculatorFields; errors: readonly FieldError[]; book: RateBook | null }

/**
 * The form of the calculator. It sends its fields to /try as a link that can be shared, without a script.
 * `book` is null if the tax data cannot be read; then all countries are listed.
 */
export function CalculatorForm(view: FormView) {
  return (
    <form class="calculator" method="get" action="/try">
      <MainFields {...view} />
      <details open={hasMore(view)}>
        <summary>More</summary>
        <div class="calculator">
          <MoreFields {...view} />
        </div>
      </details>
      <button type="submit">Calculate</button>
    </form>
  )
}

const MORE = ['region', 'city', 'from', 'buyer', 'price'] as const

/** Whether one of the folded fields says something else than at first, or is wrong. */
function hasMore({ fields, errors }: FormView): boolean {
  return MORE.some((name) => fields[name] !== EXAMPLE[name] || errorOf(errors, name) !== null)
}

function MainFields({ fields, errors, book }: FormView) {
  return (
    <>
      <Field name="country" errors={errors}>
        <Select name="country" value={fields.country} errors={errors} options={taxedCountries(book)} />
      </Field>
      <Field name="postal_code" errors={errors}>
        <Input name="postal_code" value={fields.postal_code} errors={errors} autocomplete="postal-code" />
      </Field>
      <Field name="product_type" errors={errors}>
        <Select name="product_type" value={fields.product_type} errors={errors} options={PRODUCTS} />
      </Field>
      <Field name="amount" errors={errors}>
        <Input name="amount" value={fields.amount} errors={errors} inputmode="decimal" />
      </Field>
      <Field name="currency" errors={errors}>
        <Select
          name="currency"
          value={fields.currency}
          errors={errors}
          options={currencyOptions(book, fields.currency)}
        />
      </Field>
    </>
  )
}

function MoreFields({ fields, errors }: FormView) {
  return (
    <>
      <Field name="price" errors={errors}>
        <Select name="price" value={fields.price} errors={errors} options={PRICES} />
      </Field>
      <Field name="buyer" errors={errors}>
        <Select name="buyer" value={fields.buyer} errors={errors} options={BUYERS} />
      </Field>
      <Field name="from" errors={errors}>
        <Select name="from" value={fields.from} errors={errors} options={allCountries()} />
      </Field>
      <Field name="region" errors={errors}>
        <RegionSelect value={fields.region} country={fields.country} errors={errors} />
      </Field>
      <Field name="city" errors={errors}>
        <Input name="city" value={fields.city} errors={errors} autocomplete="address-level2" />
      </Field>
    </>
  )
}

type FieldView = {
  name: keyof CalculatorFields
  errors: readonly FieldError[]
  children: Child
}

function Field({ name, errors, children }: FieldView) {
  const error = errorOf(errors, name)
  return (
    <div class="field">
      <label for={name}>{LABELS[name]}</label>
      {children}
      {error !== null && (
        <p class="field-error" id={`${name}-error`}>
          {error}
        </p>
      )}
    </div>
  )
}

type ControlView = { name: string; value: string; errors: readonly FieldError[] }

/** The attributes that connect a control with its error. */
function errorOfControl({ name, errors }: ControlView) {
  return errorOf(errors, name) === null
    ? {}
    : { 'aria-invalid': 'true' as const, 'aria-describedby': `${name}-error` }
}

type InputView = ControlView & { inputmode?: 'decimal'; autocomplete?: string }

function Input({ name, value, errors, ...others }: InputView) {
  return (
    <input
      id={name}
      name={name}
      value={value}
      maxlength={60}
      {...others}
      {...errorOfControl({ name, value, errors })}
    />
  )
}

function Select({ name, value, errors, options }: ControlView & { options: Options }) {
  return (
    <select id={name} name={name} {...errorOfControl({ name, value, errors })}>
      {options.map(([id, text]) => (
        <option value={id} selected={id === value}>
          {text}
        </option>
      ))}
    </select>
  )
}

/** The regions of these countries, in a group for each. */
function RegionSelect({ value, country, errors }: Omit<ControlView, 'name'> & { country: string }) {
  return (
    <select id="region" name="region" {...errorOfControl({ name: 'region', value, errors })}>
      <option value="">by postal code</option>
      {[...REGIONAL].map((each) => (
        <optgroup label={countryName(each)}>
          {regionsOf(each).map(({ id, name, code }) => (
            <option value={id} selected={id === value || (each === country && code === value)}>
              {name}
            </option>
          ))}
        </optgroup>
      ))}
    </select>
  )
}

function currencyOptions(book: RateBook | null, named: string): Options {
  return [['', 'Local'], ...currenciesOf(book, named).map((code) => [code, code] as const)]
}

function allCountries(): Options {
  return [['', 'Not given'], ...namedCountries([...COUNTRIES])]
}

/** The countries with tax data. */
function taxedCountries(book: RateBook | null): Options {
  const codes = [...COUNTRIES].filter((code) => book === null || book.jurisdictions.get(code) !== undefined)
  return namedCountries(codes)
}

function namedCountries(codes: readonly string[]): Options {
  return codes
    .map((code) => [code, countryName(code)] as const)
    .toSorted(([, a], [, b]) => a.localeCompare(b, 'en'))
}
