import { posix } from 'node:path'
import type * as z from 'zod'
import { CalculateBatchRequest, CalculateRequest } from '../../src/sales/calculation/schemas.ts'
import {
  RefundRequest,
  TransactionBatchRequest,
  TransactionRequest,
} from '../../src/sales/transactions/sale/schemas.ts'
import * as fieldRules from '../../src/platform/http/field-rules.ts'
import * as metadataRules from '../../src/parties/customers/metadata-rules.ts'
import * as registrationId from '../../src/parties/accounts/registration-id.ts'
import * as requestRules from '../../src/sales/transactions/sale/request-rules.ts'
import { type Importable, sourceOfChecks } from './check-source.ts'

/** A schema whose check is generated, and the name of its parsed value. */
type Quick = { schema: z.core.$ZodType; type: string }

/** The modules of checks by their paths. Each is beside the schemas that it is made from. */
const MODULES: Readonly<Record<string, Readonly<Record<string, Quick>>>> = {
  'src/sales/calculation/quick-checks.generated.ts': {
    quickCalculation: { schema: CalculateRequest, type: 'CalculateRequested' },
    quickCalculationBatch: { schema: CalculateBatchRequest, type: 'CalculateBatchBody' },
  },
  'src/sales/transactions/sale/quick-checks.generated.ts': {
    quickTransaction: { schema: TransactionRequest, type: 'TransactionRequested' },
    quickTransactionBatch: { schema: TransactionBatchRequest, type: 'TransactionBatchBody' },
    quickRefund: { schema: RefundRequest, type: 'RefundBody' },
  },
}

/** The functions that schemas may call, by the paths of their modules. */
const RULES: Readonly<Record<string, object>> = {
  'src/platform/http/field-rules.ts': fieldRules,
  'src/parties/accounts/registration-id.ts': registrationId,
  'src/parties/customers/metadata-rules.ts': metadataRules,
  'src/sales/transactions/sale/request-rules.ts': requestRules,
}

const HEADER =
  '/* Made by scripts/generate.ts. Each check answers the parsed value, or undefined if it is not sure. */'

/** The texts of the modules that check request bodies without zod, by their paths. */
export function quickChecks(): Map<string, string> {
  return new Map(Object.entries(MODULES).map(([path, quick]) => [path, textOfModule(path, quick)]))
}

function textOfModule(path: string, quick: Readonly<Record<string, Quick>>): string {
  const schemas = Object.fromEntries(Object.entries(quick).map(([name, { schema }]) => [name, schema]))
  const { imports, functions, names } = sourceOfChecks(schemas, importableFrom(posix.dirname(path)))
  const types = Object.values(quick).map(({ type }) => type)
  const exported = Object.entries(quick).map(
    ([name, { type }]) =>
      `export const ${name} = ${names.get(name)} as (value: unknown) => ${type} | undefined`,
  )
  return [
    HEADER,
    ...imports,
    `import type { ${types.join(', ')} } from './schemas.ts'`,
    ...functions,
    ...exported,
    '',
  ].join('\n')
}

function importableFrom(folder: string): Map<unknown, Importable> {
  return new Map(
    Object.entries(RULES).flatMap(([path, rules]) => {
      const relative = posix.relative(folder, path)
      const from = relative.startsWith('.') ? relative : `./${relative}`
      return Object.entries(rules).map(([name, rule]) => [rule, { name, from }] as const)
    }),
  )
}
