import { Layout } from './layout.tsx'
import { type Doubt, wrongLink } from './wrong-link.ts'

/** The link to the page below, beside what it is about. */
export function IsThisWrong(doubt: Doubt) {
  return <a href={wrongLink(doubt)}>Is this wrong?</a>
}

/** Says how to report an answer, and what the report contains. `address`: where it is reported. */
export function WrongPage({ doubt, address }: { doubt: Doubt; address: string }) {
  const { place, day, product_type, data_version } = doubt
  const facts = [
    ['Place', place],
    ['Day', day],
    ['Product type', product_type],
    ['Version of the data', data_version],
  ].filter(([, value]) => value)
  return (
    <Layout title="Is this wrong?" description="How to report a rate, a rule or a threshold that is wrong.">
      <h1>Is this wrong?</h1>
      <p>
        Report it with its source: the article of the law, or the page of the tax office. A record without a
        source is not accepted.
      </p>
      <ul>
        {facts.map(([name, value]) => (
          <li>
            {name}: <code>{value}</code>
          </li>
        ))}
      </ul>
      <p>
        <a href={address} rel="noreferrer">
          {address.startsWith('mailto:') ? 'Write a mail' : 'Open the form'}
        </a>
        {' with these facts filled in. A form may be public: name no customer in it.'}
      </p>
      <p>
        Until the data is right, an account can <a href="/docs/facts-of-a-sale#your-own-rates">replace</a> the
        rate by its own.
      </p>
    </Layout>
  )
}
