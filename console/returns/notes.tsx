import type { FilingCorrection } from '../../client/src/schema.ts'
import { linkTo } from '../address.ts'
import { formatDay, formatMoney, withDays } from '../format.ts'
import { placeName } from '../names.ts'
import { Form, Input, type Typed } from '../parts/form.tsx'
import { List } from '../parts/load.tsx'
import { Section, Source } from '../parts/parts.tsx'
import { PlainTable, Table } from '../parts/table.tsx'
import { counted, periodWords } from '../words.ts'
import { amountColumns, type FormProps } from './form-as-printed.tsx'
import { type Figures, notesToTell } from './return.ts'

/** The parts below a form: sales without an exchange rate, corrections, used rates, and notes. */
export function Notes({ query, ...props }: FormProps & { query: URLSearchParams }) {
  const { corrections, expired_corrections, daily_exchange_rates, currency } = props.figures
  const told = notesToTell(props.figures)
  return (
    <>
      <Unconverted figures={props.figures} query={query} />
      <Corrections title="Corrections of earlier periods" of={corrections} {...props} />
      <Corrections
        title="Corrections too late for this return. Report them to the member state directly"
        of={expired_corrections}
        {...props}
      />
      <Rates figures={props.figures} />
      {daily_exchange_rates.length > 0 && (
        <Section title="Exchange rates used, day by day" card>
          {daily_exchange_rates.map((each) => (
            <details>
              <summary>{`${each.currency}: ${counted(each.days, 'day')}, ${each.source}`}</summary>
              <PlainTable
                caption={`${each.currency} for one ${currency ?? ''}`}
                heads={['Day', '#Rate']}
                rows={Object.entries(each.rates).map(([day, rate]) => [formatDay(day), rate])}
              />
            </details>
          ))}
        </Section>
      )}
      {told.length > 0 && (
        <Section title="Notes" card>
          <List lines={told.map(withLinks)} />
        </Section>
      )}
    </>
  )
}

/** A note whose addresses of pages are links. */
function withLinks(note: string) {
  const parts = note.split(/\((https:\/\/[^)]+)\)/)
  return parts.map((part, index) =>
    index % 2 === 1 ? <Source url={part} name="its page" /> : withDays(part),
  )
}

type UnconvertedProps = { figures: Figures; query: URLSearchParams }

/** Sales without an exchange rate, and a field for the rate of each. The rates are kept in the address. */
function Unconverted({ figures: { unconverted, currency }, query }: UnconvertedProps) {
  if (unconverted.length === 0) return null
  const own = currency ?? ''
  const names = unconverted.map(nameOfRate)
  const send = async (typed: Typed) => {
    const given = (query.get('fx_rates') ?? '').split(',').filter((rate) => rate !== '')
    const named = names.map((name) => `${name}:${typed.text(name).replace(',', '.')}`)
    const next = new URLSearchParams(query)
    next.set('fx_rates', [...given, ...named].join(','))
    location.hash = linkTo('returns', { query: next })
  }
  return (
    <Section title="Sales not in the return, because no exchange rate is published" card>
      <List
        lines={unconverted.map(({ net_amount, tax_amount, currency: of }) => {
          const tax =
            tax_amount === 0 ? 'without tax of this return' : `with tax of ${formatMoney(tax_amount, of)}`
          return `${formatMoney(net_amount, of)} ${tax}`
        })}
      />
      <Form name="Use these rates" send={send}>
        <div class="fields">
          {names.map((name) => (
            <Input label={`${rateLabel(name)} for one ${own}`} name={name} required inputmode="decimal" />
          ))}
        </div>
      </Form>
    </Section>
  )
}

/** How a request names the rate: `USD`, or `2026-Q2:USD` for the sales of a corrected period. */
function nameOfRate({ currency, message }: Figures['unconverted'][number]): string {
  return /fx_rates=(\S+):…/.exec(message)?.[1] ?? currency
}

function rateLabel(name: string): string {
  const [first = '', currency] = name.split(':')
  return currency === undefined ? first : `${currency} (${periodWords(first)})`
}

function Corrections({ title, of, link }: FormProps & { title: string; of: Figures['corrections'] }) {
  if (of.length === 0) return null
  return (
    <Table
      caption={title}
      show_caption
      rows={of}
      columns={[
        { head: 'Place', cell: ({ jurisdiction_id: id }) => placeName(id) },
        { head: 'Corrects', cell: ({ period }) => periodWords(period) },
        ...amountColumns<FilingCorrection>(link, ({ period }) => `the correction of ${periodWords(period)}`),
      ]}
    />
  )
}

function Rates({ figures: { exchange_rates, currency } }: { figures: Figures }) {
  if (exchange_rates.length === 0) return null
  return (
    <Table
      caption={`Exchange rates used, units for one ${currency ?? ''}`}
      show_caption
      rows={exchange_rates}
      columns={[
        { head: 'Currency', cell: (each) => each.currency },
        { head: 'Rate', number: true, phone: 'figure', cell: ({ rate }) => rate },
        {
          head: 'For',
          cell: ({ period }) => (period.length === 10 ? formatDay(period) : periodWords(period)),
        },
        { head: 'Published for', cell: ({ rate_day }) => formatDay(rate_day) },
        { head: 'Source', cell: ({ source }) => (source === 'request' ? 'entered by you' : source) },
      ]}
    />
  )
}
