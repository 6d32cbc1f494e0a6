import { useLayoutEffect, useRef, useState } from 'hono/jsx/dom'
import { parseMoney } from '../format.ts'
import type { Option } from '../names.ts'
import { Choice, Input, type Typed } from '../parts/form.tsx'
import { Press } from '../parts/parts.tsx'

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
  const remove = (id: number) => setLines(lines.filter((each) => each !== id))
  const add = () => setLines([...lines, Math.max(...lines) + 1])
  return (
    <fieldset class="stack" ref={box}>
      <legend>Lines</legend>
      {lines.map((id, index) => (
        <Line key={id} number={index + 1} {...{ id, products, remove }} />
      ))}
      <div>
        <Press name="Add a line" act={add} />
      </div>
    </fieldset>
  )
}

type LineProps = { id: number; number: number; products: readonly Option[]; remove: (id: number) => void }

function Line({ id, number, products, remove }: LineProps) {
  const [product, setProduct] = useState<string | null>(FIRST_PRODUCT)
  const of_product = { chosen: FIRST_PRODUCT, changed: setProduct }
  const about = products.find(({ value }) => value === product)?.beside
  return (
    <div class="fields" role="group" aria-label={`Line ${number}`}>
      <input type="hidden" name="line" value={id} />
      <Input
        label="Amount"
        name={`amount ${id}`}
        inputmode="decimal"
        required
        value={id === 0 ? '19.99' : ''}
      >
        Such as 19.99 or 19,99
      </Input>
      <Choice label="Product type" name={`product ${id}`} options={products} required {...of_product}>
        {about}
      </Choice>
      {number > 1 && (
        <div>
          <Press name="Remove" label={`Remove line ${number}`} act={() => remove(id)} />
        </div>
      )}
    </div>
  )
}

/** The lines as the API takes them, in minor units. Throws a Failure that names the faulty line. */
export function readLines(typed: Typed, products: readonly Option[], currency: string) {
  return typed.all('line').map((id, index) => ({
    amount: parseMoney(typed.text(`amount ${id}`), currency, `Line ${index + 1}`),
    product_type: typed.chosen(`product ${id}`, 'Product type', products),
  }))
}
