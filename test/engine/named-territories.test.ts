import { describe, expect, it } from 'vitest'
import { findPlace } from '../../src/engine/supply/place.ts'
import { book } from './sale.ts'

const placeOf = (country: string, address: { region?: string; city?: string; postal_code?: string }) =>
  findPlace(book, { country, ...address }, 'customer.address').jurisdiction_id

describe('a territory that the region names', () => {
  it.each([
    ['FR', 'RE|FR-RE|fr-974|La Réunion|REUNION|Réunion', 'RE'],
    ['FR', 'GP|971|Guadeloupe', 'GP'],
    ['FR', 'MQ|972|Martinique', 'MQ'],
    ['FR', 'GF|FR-973|Guyane|Guyane (française)', 'GF'],
    ['FR', 'YT|Mayotte|976', 'YT'],
    ['FR', 'NC|Nouvelle-Calédonie|New Caledonia', 'NC'],
    ['FR', 'PF|Polynésie française', 'PF'],
    ['FR', 'Saint-Barthélemy|saint barthelemy|St. Barthélemy', 'BL'],
    ['FR', '2A|2B|20R|Corse|Corse-du-Sud', 'FR-20R'],
    ['ES', 'CN|GC|TF|Canarias|Islas Canarias|Gran Canaria|ES-TF|Las Palmas|Tenerife', 'ES-CN'],
    ['ES', 'CE|Ceuta', 'ES-CE'],
    ['ES', 'ML|Melilla', 'ES-ML'],
    ['PT', '20|PT-20|Açores|Azores|acores|Região Autónoma dos Açores', 'PT-20'],
    ['PT', '30|Madeira|Região Autónoma da Madeira', 'PT-30'],
    ['FI', '01|Åland|aland|AX|Ahvenanmaa|Åland Islands|Ahvenanmaan maakunta', 'AX'],
    ['DK', 'Grønland|Greenland|GL', 'GL'],
    ['DK', 'Færøerne|Føroyar|FO|Faroe Islands', 'FO'],
    ['NL', 'CW|Curaçao', 'CW'],
    ['NL', 'AW|Aruba', 'AW'],
    ['NL', 'SX|Sint Maarten', 'SX'],
    ['NL', 'BQ1|BQ2|BQ3|Bonaire|Saba|Sint Eustatius', 'BQ'],
    ['GB', 'NIR|BFS|ANN|GB-BFS|County Antrim|Co. Down|Belfast|Tyrone|Northern Ireland', 'XI'],
    ['GB', 'Isle of Man|IMN', 'IM'],
    ['GB', 'Jersey|JEY', 'JE'],
    ['GB', 'Guernsey|GSY', 'GG'],
    ['IT', 'Livigno', 'IT-X-LIVIGNO'],
    ['IT', "Campione d'Italia|Campione d’Italia|Campione", 'IT-X-CAMPIONE'],
    ['IT', 'San Marino|SM', 'SM'],
    ['GR', '69|Ágion Óros|Agion Oros|Mount Athos', 'GR-69'],
    ['DE', 'Büsingen|Büsingen am Hochrhein|Buesingen', 'DE-X-BUESINGEN'],
    ['DE', 'Helgoland', 'DE-X-HELGOLAND'],
    ['CY', '06|Keryneia|Northern Cyprus|Kuzey Kıbrıs|KKTC', 'CY-X-NORTH'],
    ['CY', 'Akrotiri|Dhekelia', 'CY-X-SBA'],
    ['NO', '21|22|Svalbard', 'SJ'],
    ['US', 'GU|Guam', 'GU'],
    ['US', 'MH|Marshall Islands', 'MH'],
    ['US', 'PW|Palau', 'PW'],
    ['US', 'FM|Micronesia|Federated States of Micronesia', 'FM'],
  ])('%s %s is %s', (country, names, id) => {
    const found = names.split('|').map((region) => [region, placeOf(country, { region })])
    expect(found.filter(([, place]) => place !== id)).toEqual([])
  })
})

describe('a territory that the city or the postal code names', () => {
  it.each([
    ['DK', { city: 'Nuuk' }, 'GL'],
    ['DK', { postal_code: '3900', city: 'Nuuk' }, 'GL'],
    ['DK', { postal_code: '100', city: 'Tórshavn' }, 'FO'],
    ['DK', { postal_code: 'FO-100' }, 'FO'],
    ['DK', { postal_code: '1000', city: 'København' }, 'DK'],
    ['GB', { city: 'Belfast' }, 'XI'],
    ['GB', { city: 'Belfast', postal_code: 'BT1 1AA' }, 'XI'],
    ['GB', { city: 'London' }, 'GB'],
    ['GB', { city: 'Bangor' }, 'GB'],
    ['IT', { city: 'Livigno' }, 'IT-X-LIVIGNO'],
    ['IT', { postal_code: '47890' }, 'SM'],
    ['IT', { region: 'VA', city: 'Varese' }, 'IT'],
    ['DE', { city: 'Helgoland' }, 'DE-X-HELGOLAND'],
    ['ES', { city: 'Las Palmas de Gran Canaria' }, 'ES-CN'],
    ['ES', { city: 'Ceuta' }, 'ES-CE'],
    ['ES', { city: 'La Palma' }, 'ES'],
    ['PT', { city: 'Ponta Delgada' }, 'PT-20'],
    ['PT', { city: 'Funchal' }, 'PT-30'],
    ['FI', { city: 'Mariehamn' }, 'AX'],
    ['FR', { city: 'Fort-de-France' }, 'MQ'],
    ['FR', { city: 'Saint-Martin' }, 'FR'],
    ['FR', { city: 'Saint-Denis', postal_code: '97400' }, 'RE'],
    ['FR', { city: 'Saint-Denis', postal_code: '93200' }, 'FR'],
    ['CY', { city: 'Girne' }, 'CY-X-NORTH'],
    ['CY', { postal_code: '99300' }, 'CY-X-NORTH'],
    ['CY', { postal_code: '1010', city: 'Lefkosia' }, 'CY'],
    ['US', { postal_code: '96960' }, 'MH'],
    ['US', { postal_code: '96940' }, 'PW'],
    ['US', { postal_code: '96941' }, 'FM'],
    ['US', { postal_code: '96910' }, 'GU'],
  ])('%s %o is in %s', (country, address, id) => {
    expect(placeOf(country, address)).toBe(id)
  })

  it.each([
    ['CY', { region: 'Lefkoşa', postal_code: '1010' }, 'CY'],
    ['CY', { region: 'İskele' }, 'CY'],
    ['CY', { region: 'Girne', postal_code: '99300' }, 'CY-X-NORTH'],
    ['CY', { region: 'Akrotiri', postal_code: '4640' }, 'CY-X-SBA'],
    ['FR', { city: 'La Réunion', region: 'Nouvelle-Aquitaine' }, 'FR'],
    ['FR', { region: 'Saint-Martin', postal_code: '54450' }, 'FR'],
    ['FR', { region: 'Guadeloupe', postal_code: '97133' }, 'BL'],
    ['FR', { region: 'La Réunion', postal_code: '00000' }, 'RE'],
    ['ES', { region: 'La Palma', postal_code: '30593' }, 'ES'],
    ['ES', { region: 'La Palma', postal_code: '38700' }, 'ES-CN'],
    ['GB', { region: 'NI', postal_code: 'SW1A 1AA' }, 'GB'],
    ['GB', { city: 'Gibraltar', region: 'Lincolnshire' }, 'GB'],
    ['GB', { city: 'Gibraltar' }, 'GI'],
    ['GB', { city: 'Londonderry', region: 'North Yorkshire' }, 'GB'],
    ['DK', { city: 'København', postal_code: '900' }, 'DK'],
    ['DK', { postal_code: '900' }, 'DK'],
    ['DK', { region: 'FO', postal_code: '100' }, 'FO'],
    ['NL', { city: 'Willemstad' }, 'NL'],
    ['NL', { city: 'Sint Maarten', region: 'Noord-Holland' }, 'NL'],
    ['IT', { city: 'San Marino', region: 'BO' }, 'IT'],
    ['IT', { region: 'Livigno', postal_code: '23030' }, 'IT-X-LIVIGNO'],
    ['PT', { city: 'Açores', region: 'Guarda' }, 'PT'],
  ])('%s %o is in %s, though a name or a code is ambiguous', (country, address, id) => {
    expect(placeOf(country, address)).toBe(id)
  })

  // A postal code is more exact than a name.
  it('is not believed against the postal code', () => {
    expect(placeOf('GB', { city: 'Belfast', postal_code: 'SW1A 1AA' })).toBe('GB')
  })

  it('may be named by its country', () => {
    expect(['IC', 'AX', 'RE', 'GL', 'XI'].map((country) => placeOf(country, {}))).toEqual([
      'ES-CN',
      'AX',
      'RE',
      'GL',
      'XI',
    ])
  })
})

it('has a name in sentences, also if no list of countries has it', () => {
  expect(findPlace(book, { country: 'CY', city: 'Girne' }, 'customer.address').name).toBe(
    'the northern part of Cyprus',
  )
})
