import { describe, expect, it } from 'vitest'
import { countryFiles } from '../../scripts/country-files.ts'
import { lacksOfCountry } from '../../scripts/country-lacks.ts'

describe.each(countryFiles().map((file) => [file.country, file] as const))(
  'data/countries/%s.json',
  (_, file) => {
    it('lacks nothing', () => {
      expect(lacksOfCountry(file)).toEqual([])
    })
  },
)
