import type { OverviewAnswer } from '../../client/src/schema.ts'
import { change, Deeds } from '../parts/changes.tsx'
import { Section } from '../parts/parts.tsx'

type StepName = OverviewAnswer['setup'][number]['step']

/** What each step is called, what it is for, and where it is done. */
const STEPS: Readonly<Record<StepName, { name: string; why: string; to: string }>> = {
  profile: { name: 'Add where your business is', why: 'Calculations need your country', to: '#/settings' },
  registration: {
    name: 'Add your first registration',
    why: 'Tax is charged and returns are listed where you are registered',
    to: '#/registrations',
  },
  first_sale: {
    name: 'Record the first sale',
    why: 'Your shop sends it to the API, or you import a CSV file',
    to: '#/transactions',
  },
  webhook: {
    name: 'Add a webhook',
    why: 'Notifies your systems of due returns and new rates',
    to: '#/webhooks',
  },
}

const PATH = '/v1/account/example-books'

/** What an account needs before it is of use, as long as there is no sale. `changed` reads all again. */
export function Checklist({ of: { setup, example_books, transactions }, changed }: OfAccount) {
  const known = setup.filter(({ done }) => done !== null)
  const done = known.filter((each) => each.done === true).length
  const is_empty = transactions !== null && transactions.length === 0
  if (example_books.there || !is_empty || known.length === 0) return null
  return (
    <Section title="Get started">
      <div class="card stack checklist">
        <label class="row">
          <span>
            {done} of {known.length} steps are done
          </span>
          <progress value={done} max={known.length} />
        </label>
        <ol>
          {known.map((each) => (
            <li class={each.done ? 'done' : undefined}>
              <span aria-hidden="true">{each.done ? '✓' : '○'}</span>
              <span>
                <a href={STEPS[each.step].to}>{STEPS[each.step].name}</a>
                <span class="quiet small">{each.done ? 'Done' : STEPS[each.step].why}</span>
              </span>
            </li>
          ))}
        </ol>
        {example_books.possible && <FillWithExamples changed={changed} />}
      </div>
    </Section>
  )
}

type OfAccount = { of: OverviewAnswer; changed: () => Promise<void> }

function FillWithExamples({ changed }: Pick<OfAccount, 'changed'>) {
  const fill = (idempotency_key: string) =>
    change('POST', PATH, { idempotency_key, told: 'The example books are added' }).then(changed)
  return (
    <div class="row">
      <span class="quiet">This is a sandbox account. Look around with a year of example books first.</span>
      <Deeds of={[{ name: 'Fill with example books', act: fill }]} />
    </div>
  )
}

/** It is the last part of the view, so that the others stay where they are when it arrives. */
export function ExamplesThere({ changed }: Pick<OfAccount, 'changed'>) {
  const ask = {
    title: 'Remove the example books?',
    text:
      'Their sales, refunds, customers, registrations and webhook are deleted, and their return is ' +
      'reopened. What you added stays.',
    yes: 'Remove the example books',
  }
  const told = 'The example books are removed'
  const remove = () => change('DELETE', PATH, { ask, told }).then(changed)
  return (
    <div class="card row">
      <span>This account has example books.</span>
      <Deeds of={[{ name: 'Remove them', act: remove }]} />
    </div>
  )
}
