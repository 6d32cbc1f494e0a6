import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { blocksOf, PAGES } from '../../scripts/guide-examples.ts'
import { DOCUMENT } from './built.ts'
import { PROJECT } from '../../scripts/wrangler.ts'
import { TIERS } from '../../src/platform/tiers.ts'
import { FACTS_REGIONS } from '../../src/engine/book/regions.ts'

const textOf = (page: string) => readFileSync(join(PROJECT, page), 'utf8')

describe('the guides', () => {
  it('name every scope that an operation needs', () => {
    const scopes = Object.values(DOCUMENT.paths)
      .flatMap((methods) => Object.values(methods))
      .flatMap(({ description }) => /Needs the scope `([^`]+)`/.exec(description)?.[1] ?? [])
    const guide = textOf('docs/authentication.md')
    expect([...new Set(scopes)].filter((scope) => !guide.includes(`\`${scope}\``))).toEqual([])
  })

  it('have the requests a minute of each tier', () => {
    const guide = textOf('docs/rate-limits.md')
    for (const [tier, { requests_per_minute, questions_per_minute }] of Object.entries(TIERS))
      expect(guide).toMatch(
        new RegExp(
          `\\| \`${tier}\`\\s+\\| ${requests_per_minute.toLocaleString('en')}\\s+\\| ${questions_per_minute}\\s+\\|`,
        ),
      )
  })

  it('have commands for every shell: no flag that only GNU or only BSD has', () => {
    const odd = PAGES.flatMap((page) =>
      blocksOf(page)
        .filter(({ language }) => ['', 'sh'].includes(language))
        .filter(({ text }) => /\bdate (-u )?(-d|--date|-v)|\bsed -i|\bgrep -P|\breadlink -f/.test(text))
        .map(({ line }) => `${page}:${line}`),
    )
    expect(odd).toEqual([])
  })

  it('count the countries beside the six first regions', () => {
    // Switzerland and Liechtenstein are one region.
    const others = FACTS_REGIONS.filter((id) => !['EU', 'UK', 'US', 'CA', 'AU', 'NZ'].includes(id)).length + 1
    expect(textOf('README.md').replaceAll('\n', ' ')).toContain(`sales to ${others} other countries`)
  })
})
