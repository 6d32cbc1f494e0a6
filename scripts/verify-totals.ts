import { faultsOfChests, sealedSource } from './verify/chests.ts'
import { verifyTotals } from './verify/totals.ts'
import { salesWithoutWords } from './verify/words.ts'
import { CHECK_OPTIONS, checkEachAccount } from './each-account.ts'
import { readOptions } from './options.ts'
import { whileBusy } from './while-busy.ts'

/**
 * Recomputes the totals of one account, or of all accounts, from the transactions, and prints every
 * difference, and each sale that names words which the database lacks. Checks the chests of sealed sales,
 * too. Exits with 1 if there is one.
 */
const names = { accounts: 'accounts', faults: 'differences' }
await checkEachAccount(readOptions(CHECK_OPTIONS), names, async ({ id, books, ...bound }) => {
  const differences = await whileBusy(() => verifyTotals(books, id, bound))
  const source = await whileBusy(() => sealedSource(books, id, bound))
  const faults = source === null ? [] : await whileBusy(() => faultsOfChests(source))
  for (const fault of faults) console.log(`${id} ${fault}`)
  for (const { table, key, column, kept, recomputed } of differences)
    console.log(
      `${id} ${table} [${key}] ${column}: stored ${kept ?? 'no row'}, recomputed ${recomputed ?? 'no row'}`,
    )
  const wordless = await whileBusy(() => salesWithoutWords(books, id, bound))
  for (const sale of wordless) console.log(`${id} transactions [${sale}]: words that it names are missing`)
  return differences.length + faults.length + wordless.length
})
