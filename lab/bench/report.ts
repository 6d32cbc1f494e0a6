import { readFileSync, writeFileSync } from 'node:fs'
import { cpus, totalmem } from 'node:os'
import { join } from 'node:path'
import { z } from 'zod'
import { PROJECT } from '../../scripts/wrangler.ts'

/**
 * Writes figures into their section of a page, by default docs/benchmarks.md. In CI it writes nothing,
 * because runs there are short.
 */
export function report(section: string, lines: readonly string[], page_name = 'benchmarks'): void {
  if (process.env['CI'] !== undefined) return
  const path = join(PROJECT, 'docs', `${page_name}.md`)
  const begin = `<!-- ${section} -->`
  const end = `<!-- end of ${section} -->`
  const page = readFileSync(path, 'utf8')
  const [before, rest] = page.split(begin)
  const after = rest?.split(end)[1]
  if (before === undefined || after === undefined)
    throw new Error(`docs/${page_name}.md has no section ${section}. Add the comments ${begin} and ${end}`)
  writeFileSync(path, `${before}${begin}\n\n${machine()}\n\n${lines.join('\n')}\n\n${end}${after}`)
}

/** A Markdown table. The first column is aligned to the left, the others to the right. */
export function table(head: readonly string[], rows: readonly (readonly string[])[]): string[] {
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`
  return [line(head), line(head.map((_, index) => (index === 0 ? '---' : '---:'))), ...rows.map(line)]
}

export function thousands(number: number): string {
  return Math.round(number).toLocaleString('en')
}

function machine(): string {
  const { version } = z
    .object({ version: z.string() })
    .parse(JSON.parse(readFileSync(join(PROJECT, 'node_modules/workerd/package.json'), 'utf8')))
  const gigabytes = Math.round(totalmem() / 1_073_741_824)
  const day = new Date().toISOString().slice(0, 10)
  const cores = `${cpus().length} cores (${cpus()[0]?.model.trim() ?? 'unknown'})`
  return `Measured on ${day}: ${cores}, ${gigabytes} GB, Node ${process.version}, workerd ${version}.`
}
