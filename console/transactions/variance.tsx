import { linkTo } from '../address.ts'
import { read } from '../api.ts'
import { formatCount, formatMoney } from '../format.ts'
import { placeName, withNames } from '../names.ts'
import { Read } from '../parts/load.tsx'
import { Table } from '../parts/table.tsx'
import { counted, periodWords } from '../words.ts'

/** The most rows above the list. The totals are of all. */
const ROWS = '24'

/** The charged tax against the expected tax of some days, by month and place. Each row leads to its sales. */
export function Variances({ from_date, to_date }: { from_date: string; to_date: string }) {
  const readRows = () => withNames(read('/v1/reports/tax-variance', { from_date, to_date, limit: ROWS }))
  return (
    <Read
      read={readRows}
      of={[from_date, to_date]}
      show={({ rows, totals, total }) =>
        rows.length === 0 ? null : (
          <Table
            caption="Charged and expected tax"
            show_caption
            rows={rows}
            href={({ transactions_url }) => linkToSales(transactions_url)}
            columns={[
              { head: 'Place', cell: ({ jurisdiction_id }) => placeName(jurisdiction_id) },
              { head: 'Month', keep: 'wide', cell: ({ month }) => periodWords(month) },
              { head: 'Sales', number: true, cell: ({ transactions }) => formatCount(transactions) },
              { head: 'Charged', number: true, cell: (row) => formatMoney(row.charged_tax, row.currency) },
              { head: 'Expected', number: true, cell: (row) => formatMoney(row.expected_tax, row.currency) },
              {
                head: 'Difference',
                number: true,
                phone: 'figure',
                cell: (row) => formatMoney(row.variance, row.currency),
              },
            ]}
            foot={
              <div class="table-foot">
                <span>
                  {total > rows.length && `The first ${rows.length} of ${formatCount(total)} · `}
                  {totals
                    .map((each) => {
                      const difference = formatMoney(each.variance, each.currency)
                      return `${counted(each.transactions, 'sale')}, ${difference} in all`
                    })
                    .join(' · ')}
                </span>
              </div>
            }
          />
        )
      }
    />
  )
}

/** The address of the API as that of the list in the console. */
function linkToSales(transactions_url: string): string {
  return linkTo('transactions', { query: new URLSearchParams(transactions_url.split('?')[1]) })
}
