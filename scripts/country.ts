import { countryFiles } from './country-files.ts'
import { lacksOfCountry } from './country-lacks.ts'
import { dueLooks } from './country-looks.ts'

/**
 * Says what the files of data/countries lack: those that are named, or all. `--due` lists the countries whose
 * pages a person should look at again.
 */
const wanted = process.argv.slice(2).map((code) => code.toUpperCase())
if (wanted.includes('--DUE')) {
  const today = new Date().toISOString().slice(0, 10)
  for (const { country, looked_on, why } of dueLooks(countryFiles(), today))
    console.log(`${country}, last look ${looked_on ?? 'never'}: ${why.join('; ')}`)
} else tellLacks()

function tellLacks(): void {
  const files = countryFiles().filter(({ country }) => wanted.length === 0 || wanted.includes(country))
  for (const code of wanted)
    if (!files.some(({ country }) => country === code)) {
      console.log(`${code}: there is no data/countries/${code}.json`)
      process.exitCode = 1
    }
  for (const file of files) {
    const lacks = lacksOfCountry(file)
    if (lacks.length > 0) process.exitCode = 1
    if (lacks.length > 0 || wanted.length > 0)
      console.log(`${file.country}: ${lacks.length === 0 ? 'lacks nothing' : lacks.join('; ')}`)
  }
}
