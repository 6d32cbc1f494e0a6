import { COMMANDS } from './help/commands.ts'
import { PACKAGES } from './help/packages.ts'

/** Prints what each command does, and why each package is there. */
console.log(
  ['Commands. Our own print their options with -- --help.', ...linesOf(COMMANDS, 'npm run ')].join('\n'),
)
console.log(['', 'Packages', ...linesOf(PACKAGES, '')].join('\n'))

function linesOf(table: Readonly<Record<string, string>>, before: string): string[] {
  const width = Math.max(...Object.keys(table).map((name) => name.length)) + before.length
  return Object.entries(table).map(([name, text]) => `  ${`${before}${name}`.padEnd(width)}  ${text}`)
}
