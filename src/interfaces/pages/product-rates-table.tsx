import { ScrollTable } from './layout.tsx'
import type { ProductRate } from './product-rates.ts'

/** What is taxed how, a row for each rate. */
export function ProductRatesTable({ rates }: { rates: readonly ProductRate[] }) {
  return (
    <ScrollTable label="Products" kind="rows" heads={['Rate', 'Treatment', 'Products']}>
      {rates.map(({ rate, treatment, products }) => (
        <tr>
          <th scope="row" class="number capital">
            {rate}
          </th>
          <td class="capital figure">{treatment}</td>
          <td>
            {products.map(({ name, status }, index) => (
              <>
                {index > 0 && ', '}
                <span class={status}>{name}</span>
                {status === 'default' && <sup title="no rule in the data: by default">d</sup>}
                {status === 'uncertain' && <sup title="uncertain rule">?</sup>}
              </>
            ))}
          </td>
        </tr>
      ))}
    </ScrollTable>
  )
}
