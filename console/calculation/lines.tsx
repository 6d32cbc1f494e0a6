import { useLayoutEffect, useRef, useState } from 'hono/jsx/dom'
import { parseMoney } from '../format.ts'
import type { Option } from '../names.ts'
import { Choice } from '../parts/choice.tsx'
import { Input, type Typed } from '../parts/form.tsx'

const FIRST_PRODUCT = 'saas'

/** The lines of a sale, each with its amount and product type. Read them with readLines(). */
export function LinesOfSale({ products }: { products: readonly Option[] }) {
  const [lines, setLines] = useState<readonly number[]>([0])
  const box = useRef<HTMLFieldSetElement>(null)
  const before = useRef(lines.length)
  useLayoutEffect(() => {
    const added = lines.length > (before.current ?? 0)
    const target = added ? '[role="group"]:last-of-type input' : ':scope > div > button'
    if (lines.length !== before.current) box.current?.querySelector<HTMLElement>(target)?.focus()
    before.current = lines.length
  }, [lines])
  const add = () => setLines([...lines, Math.max(...lines) + 1])
  return (
    <fieldset class="stack" ref={box}>
      <legend>Lines</legend>
      {lines.map((id, index) => (
        <Line
          key={id}
          number={index + 1}
          id={id}
          products={products}
          remove={() => setLines(lines.filter((each) => each !== id))}
        />
      ))}
      <div>
        <button type="button" onClick={add}>
          Add a line
        </button>
      </div>
    </fieldset>
  )
}

function Line({
  id,
  number,
  products,
  remove,
}: {
  id: number
  number: number
  products: readonly Option[]
  remove: () => void
}) {
  const [product, setProduct] = useState<string | null>(FIRST_PRODUCT)
  const about = products.find(({ value }) => value === product)?.beside
  return (
    <div class="fields" role="group" aria-label={`Line ${number}`}>
      <input type="hidden" name="line" value={id} />
      <Input
        label="Amount"
        hint="Such as 19.99 or 19,99"
        name={`amount ${id}`}
        inputmode="decimal"
        required
        value={id === 0 ? '19.99' : ''}
      />
      <Choice
        label="Product type"
        name={`product ${id}`}
        options={products}
        chosen={FIRST_PRODUCT}
        required
        changed={setProduct}
        {...(about && { hint: about })}
      />
      {number > 1 && (
        <div>
          <button type="button" aria-label={`Remove line ${number}`} onClick={remove}>
            Remove
          </button>
        </div>
      )}
    </div>
  )
}

/** The lines as the API takes them, in minor units. Throws a Failure that names the faulty field. */
export function readLines(typed: Typed, products: readonly Option[], currency: string) {
  return typed.all('line').map((id) => ({
    amount: parseMoney(typed.text(`amount ${id}`), currency, `amount ${id}`),
    product_type: typed.chosen(`product ${id}`, `product ${id}`, products),
  }))
}
