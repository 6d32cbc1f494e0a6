import { readFileSync, writeFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { parseArgs } from 'node:util'
import { parseCases, runCase } from './arithmetic-cases.ts'
import type { Adapter } from './conformance/adapter.ts'
import { arithmeticSales } from './conformance/arithmetic-sales.ts'
import { type Deck, parseDeck, saysItIsADeck } from './conformance/deck.ts'
import { ownAdapter } from './conformance/own-adapter.ts'
import { runDeck, sendOver } from './conformance/run-deck.ts'
import { taxjarAdapter } from './conformance/taxjar-adapter.ts'

const USAGE = `Usage:
  npm run -s conformance -- FILE
  TAX_API_KEY=KEY npm run -s conformance -- FILE --service URL [--adapter NAME] [--badge FILE]

  FILE        cases of arithmetic (test/conformance/arithmetic.json), which the engine runs without a service,
              or of law (test/conformance/law.json), which need one
  --service   puts the cases to this service
  --adapter   the form of the service: own (default), taxjar, or the path of a file that exports an adapter
  --badge     writes the counts to this file, in the form that shields.io/badges/endpoint-badge reads`

process.exitCode = await main()

/** Exit code 0: no case differs. 1: a case differs. 2: there are no cases to run. */
async function main(): Promise<number> {
  if (process.argv.includes('--help')) {
    console.log(USAGE)
    return 0
  }
  const asked = readArguments()
  if (asked === null) {
    console.error(USAGE)
    return 2
  }
  const { file, service, adapter, badge } = asked
  try {
    if (service === undefined) return runHere(readFileSync(file, 'utf8'))
    const counts = await runThere(readFileSync(file, 'utf8'), service, await adapterNamed(adapter))
    if (badge !== undefined) writeFileSync(badge, JSON.stringify(badgeOf(counts)))
    return counts.wrong === 0 ? 0 : 1
  } catch (error) {
    console.error(`${file}: ${error instanceof Error ? error.message : String(error)}`)
    return 2
  }
}

type Asked = { file: string; service: string | undefined; adapter: string; badge: string | undefined }

function readArguments(): Asked | null {
  try {
    const { positionals, values } = parseArgs({
      allowPositionals: true,
      options: {
        service: { type: 'string' },
        adapter: { type: 'string', default: 'own' },
        badge: { type: 'string' },
      },
    })
    const [file, ...rest] = positionals
    const { service, adapter, badge } = values
    return file === undefined || rest.length > 0 ? null : { file, service, adapter, badge }
  } catch {
    return null
  }
}

/** Runs cases of arithmetic through the engine. */
function runHere(text: string): number {
  if (saysItIsADeck(jsonOf(text))) throw new Error('its cases are sales: give --service')
  const results = parseCases(text).map(runCase)
  for (const result of results) console.log(JSON.stringify(result))
  return results.some((result) => result.ok === false) ? 1 : 0
}

type Counts = { right: number; wrong: number; not_asked: number }

/** Puts cases to a service. Standard error gets the counts. */
async function runThere(text: string, service: string, adapter: Adapter): Promise<Counts> {
  const deck = deckOf(text)
  const key = process.env['TAX_API_KEY'] ?? ''
  const counts = { right: 0, wrong: 0, not_asked: 0 }
  for await (const result of runDeck(deck, adapter, sendOver(service, adapter.headers(key)))) {
    console.log(JSON.stringify(result))
    counts[result.ok === null ? 'not_asked' : result.ok ? 'right' : 'wrong'] += 1
  }
  console.error(`${counts.right} right, ${counts.wrong} wrong, ${counts.not_asked} not asked`)
  return counts
}

/** Cases that the form cannot ask are told, because a badge without them promises more than was tried. */
function badgeOf({ right, wrong, not_asked }: Counts): object {
  const message = `${right} of ${right + wrong}${not_asked > 0 ? `, ${not_asked} not asked` : ''}`
  const color = right === 0 ? 'red' : wrong === 0 ? 'brightgreen' : 'yellow'
  return { schemaVersion: 1, label: 'tax conformance', message, color }
}

/** A file of arithmetic becomes a deck of sales. */
function deckOf(text: string): Deck {
  const json = jsonOf(text)
  if (saysItIsADeck(json)) return parseDeck(json)
  const { deck, without_place } = arithmeticSales(parseCases(text))
  for (const id of without_place) console.error(`${id} is not asked: no place has its rates`)
  return deck
}

/** Null for a text that is no JSON: the reader of cases then says so. */
function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

async function adapterNamed(name: string): Promise<Adapter> {
  const known = [ownAdapter, taxjarAdapter].find((each) => each.name === name)
  if (known !== undefined) return known
  const module: { adapter?: Adapter } = await import(pathToFileURL(resolve(name)).href)
  if (module.adapter === undefined) throw new Error(`${name} does not export \`adapter\``)
  return module.adapter
}
