import { plainName } from './region-names.ts'

/**
 * A territory with a tax of its own, or with none, as addresses of a country name it. Codes and names are
 * divided by `|`. Case, accents and punctuation do not matter.
 */
type Territory = {
  /** Its jurisdiction. Some are in no data: then no tax of theirs is computed, and the answer says so. */
  id: string
  country: string
  /** Of ISO 3166-2, now or earlier, and those that shops and customs use, without the country. */
  codes?: string
  /** Of the territory and its islands, in the languages that addresses are written in. */
  names?: string
  /** Names of it that towns elsewhere in the country have too, so they are read as a region alone. */
  shared?: string
  /** Names of it that hamlets elsewhere in the country have too: a city, unless the address has a region. */
  alone?: string
  /** Places that lie in no other part of the country, so their name is enough. */
  towns?: string
  /** The form of its postal codes, without spaces and hyphens, where no prefix tells it. */
  postal_code?: RegExp
  /** Its mail has codes like those of the country around it, so they tell nothing. */
  codes_of_country?: true
  /** For sentences, if neither the data nor ISO 3166 has a name of it. */
  name?: string
}

/**
 * The data names each of its territories too, and data/postal-rules.json has the prefixes of postal codes.
 * Left out are towns that the rest of the country has too, such as Saint-Denis, Bangor or Mittelberg.
 */
const TERRITORIES: readonly Territory[] = [
  {
    id: 'ES-CN',
    country: 'ES',
    codes: 'GC|TF|IC',
    names: `Canarias|Islas Canarias|Canary Islands|Gran Canaria|Tenerife|Lanzarote|Fuerteventura|
      La Gomera|El Hierro|Las Palmas|Santa Cruz de Tenerife|Kanarische Inseln|Îles Canaries`,
    shared: 'La Palma',
    towns: 'Las Palmas de Gran Canaria|San Cristóbal de La Laguna|Arrecife|Puerto del Rosario|Maspalomas',
  },
  { id: 'ES-CE', country: 'ES', names: 'Ceuta' },
  { id: 'ES-ML', country: 'ES', names: 'Melilla' },
  {
    id: 'PT-20',
    country: 'PT',
    names: `Azores|Azoren|Região Autónoma dos Açores|Região dos Açores|Ilhas dos Açores|
      Ilha de São Miguel|Ilha Terceira|Ilha do Faial|Ilha do Pico`,
    shared: 'São Miguel',
    alone: 'Açores',
    towns: 'Ponta Delgada|Angra do Heroísmo',
  },
  {
    id: 'PT-30',
    country: 'PT',
    names: 'Madeira|Região Autónoma da Madeira|Região da Madeira|Ilha da Madeira|Porto Santo',
    towns: 'Funchal|Câmara de Lobos',
  },
  {
    id: 'AX',
    country: 'FI',
    codes: '01|AL|AX',
    names: `Åland|Aland Islands|Ålandsöarna|Landskapet Åland|Ahvenanmaa|Ahvenanmaan maakunta|
      Ahvenanmaan lääni|Ålands län`,
    towns: 'Mariehamn|Maarianhamina',
  },
  {
    id: 'FR-20R',
    country: 'FR',
    codes: '2A|2B|H|COR|20',
    names: 'Corse|Corsica|Korsika|Corse-du-Sud|Haute-Corse',
    towns: 'Ajaccio|Bastia|Porto-Vecchio',
  },
  { id: 'GP', country: 'FR', codes: '971|GP|GUA', names: 'Guadeloupe', towns: 'Pointe-à-Pitre|Les Abymes' },
  { id: 'MQ', country: 'FR', codes: '972|MQ|MTQ', names: 'Martinique', towns: 'Fort-de-France' },
  {
    id: 'GF',
    country: 'FR',
    codes: '973|GF|GUF',
    names: 'Guyane|Guyane française|Guyane (française)|French Guiana|Französisch-Guayana',
    towns: 'Cayenne|Kourou',
  },
  {
    id: 'RE',
    country: 'FR',
    codes: '974|RE|LRE',
    names: 'Réunion|Reunion Island|Île de La Réunion',
    shared: 'La Réunion',
    towns: 'Saint-Denis de La Réunion',
  },
  { id: 'YT', country: 'FR', codes: '976|YT|MAY', names: 'Mayotte', towns: 'Mamoudzou' },
  {
    id: 'BL',
    country: 'FR',
    codes: 'BL|977',
    names: 'Saint Barth|Saint-Barts|St. Barts',
    shared: 'Saint-Barthélemy|St. Barthélemy',
    towns: 'Gustavia',
  },
  { id: 'MF', country: 'FR', codes: 'MF|978', shared: 'Saint-Martin|St. Martin', towns: 'Marigot' },
  {
    id: 'PM',
    country: 'FR',
    codes: 'PM|975',
    names: 'Saint-Pierre-et-Miquelon|Saint Pierre and Miquelon|St. Pierre and Miquelon',
  },
  { id: 'MC', country: 'FR', codes: 'MC|980', names: 'Monaco', towns: 'Monte-Carlo' },
  {
    id: 'TF',
    country: 'FR',
    codes: 'TF|984',
    names: `Terres australes françaises|Terres australes et antarctiques françaises|TAAF|
      French Southern Territories`,
  },
  {
    id: 'WF',
    country: 'FR',
    codes: 'WF|986',
    names: 'Wallis-et-Futuna|Wallis and Futuna',
    towns: 'Mata-Utu',
  },
  {
    id: 'PF',
    country: 'FR',
    codes: 'PF|987',
    names: 'Polynésie française|French Polynesia|Tahiti',
    towns: 'Papeete',
  },
  {
    id: 'NC',
    country: 'FR',
    codes: 'NC|988',
    names: 'Nouvelle-Calédonie|New Caledonia|Neukaledonien',
    towns: 'Nouméa',
  },
  {
    id: 'GL',
    country: 'DK',
    codes: 'GL',
    names: 'Grønland|Greenland|Grönland|Kalaallit Nunaat',
    towns: 'Nuuk|Godthåb|Sisimiut|Ilulissat|Qaqortoq|Aasiaat',
  },
  {
    id: 'FO',
    country: 'DK',
    codes: 'FO',
    names: 'Færøerne|Faroe Islands|Faroes|Føroyar|Färöer|Faeroerne',
    towns: 'Tórshavn|Klaksvík|Runavík|Tvøroyri',
    // Three digits alone may be a code of Copenhagen that lost its zero.
    postal_code: /^FO\d{3}$/,
  },
  { id: 'AW', country: 'NL', codes: 'AW', names: 'Aruba' },
  { id: 'CW', country: 'NL', codes: 'CW', names: 'Curaçao', shared: 'Willemstad' },
  { id: 'SX', country: 'NL', codes: 'SX', shared: 'Sint Maarten|St. Maarten', towns: 'Philipsburg' },
  {
    id: 'BQ',
    country: 'NL',
    codes: 'BQ|BQ1|BQ2|BQ3',
    names: `Bonaire|Saba|Sint Eustatius|St. Eustatius|Caribisch Nederland|Caribbean Netherlands|
      Bonaire, Sint Eustatius en Saba|Bonaire, Sint Eustatius and Saba`,
    towns: 'Kralendijk',
  },
  {
    id: 'XI',
    country: 'GB',
    codes: `NIR|NI|ABC|AND|ANN|BFS|CCG|DRS|FMO|LBC|MEA|MUL|NMD|ANT|ARD|ARM|BLA|BLY|BNB|CGV|CKF|CKT|CLR|CSR|
      DGN|DOW|DRY|FER|LMV|LRN|LSB|MFT|MYL|NDN|NTA|NYM|OMH|STB|TYR|LDY`,
    names: `Northern Ireland|Nordirland|Irlande du Nord|Antrim|County Antrim|Co. Antrim|Armagh|County Armagh|
      Co. Armagh|Down|County Down|Co. Down|Fermanagh|County Fermanagh|Co. Fermanagh|
      County Londonderry|Co. Londonderry|Derry|County Derry|Co. Derry|Tyrone|County Tyrone|Co. Tyrone|
      Antrim and Newtownabbey|Ards and North Down|Armagh City, Banbridge and Craigavon|Belfast City|
      Causeway Coast and Glens|Derry and Strabane|Fermanagh and Omagh|Lisburn and Castlereagh|
      Mid and East Antrim|Mid-Ulster|Newry, Mourne and Down`,
    alone: 'Londonderry',
    towns: `Belfast|Lisburn|Newry|Newtownabbey|Craigavon|Ballymena|Newtownards|Carrickfergus|Coleraine|Omagh|
      Larne|Strabane|Banbridge|Limavady|Enniskillen|Dungannon|Cookstown|Downpatrick|Magherafelt|
      Ballymoney|Ballyclare|Portadown|Lurgan|Portrush|Portstewart`,
  },
  { id: 'IM', country: 'GB', codes: 'IMN|IM|IOM', names: 'Isle of Man|Ellan Vannin' },
  { id: 'JE', country: 'GB', codes: 'JEY|JE|JSY', names: 'Jersey', towns: 'Saint Helier|St. Helier' },
  {
    id: 'GG',
    country: 'GB',
    codes: 'GSY|GG|GGY',
    names: 'Guernsey|Alderney|Sark|Herm',
    towns: 'Saint Peter Port|St. Peter Port',
  },
  { id: 'GI', country: 'GB', codes: 'GI|GIB', alone: 'Gibraltar' },
  {
    id: 'IT-X-LIVIGNO',
    country: 'IT',
    names: 'Livigno',
  },
  { id: 'IT-X-CAMPIONE', country: 'IT', names: "Campione d'Italia", shared: 'Campione' },
  { id: 'SM', country: 'IT', codes: 'SM', names: 'Repubblica di San Marino', alone: 'San Marino' },
  { id: 'VA', country: 'IT', names: 'Città del Vaticano|Vatican City|Vatikanstadt|Vaticano' },
  {
    id: 'GR-69',
    country: 'GR',
    names: 'Ágion Óros|Agion Oros|Ayion Oros|Agio Oros|Άγιον Όρος|Mount Athos|Athos',
    towns: 'Karyes',
  },
  {
    id: 'GR-X-AEGEAN',
    country: 'GR',
    names: 'Lesvos|Lesbos|Chios|Khios|Samos|Kos|Leros',
    towns: 'Mytilene|Mytilini',
  },
  {
    id: 'GR-X-AEGEAN-2026',
    country: 'GR',
    names: `Lemnos|Limnos|Samothrace|Samothraki|Agios Efstratios|Ikaria|Kalymnos|Patmos|Nisyros|Symi|
      Karpathos|Kasos|Astypalaia|Psara|Oinousses|Kastellorizo|Megisti|Tilos`,
  },
  {
    id: 'DE-X-BUESINGEN',
    country: 'DE',
    names: 'Büsingen|Büsingen am Hochrhein|Buesingen|Buesingen am Hochrhein',
  },
  { id: 'DE-X-BUESINGEN', country: 'CH', names: 'Büsingen|Büsingen am Hochrhein' },
  { id: 'DE-X-HELGOLAND', country: 'DE', names: 'Helgoland|Heligoland' },
  { id: 'AT-X-JUNGHOLZ-MITTELBERG', country: 'AT', names: 'Jungholz|Kleinwalsertal', towns: 'Riezlern' },
  { id: 'AT-X-JUNGHOLZ-MITTELBERG', country: 'DE', names: 'Kleinwalsertal' },
  { id: 'CH-X-SAMNAUN', country: 'CH', names: 'Samnaun' },
  {
    id: 'LI',
    country: 'CH',
    codes: 'LI|FL',
    names: 'Liechtenstein|Fürstentum Liechtenstein',
    towns: 'Vaduz|Schaan',
  },
  {
    id: 'CY-X-SBA',
    country: 'CY',
    names: `Akrotiri|Dhekelia|Akrotiri and Dhekelia|Sovereign Base Areas|Episkopi Garrison|
      Western Sovereign Base Area|Eastern Sovereign Base Area`,
    codes_of_country: true,
  },
  // Lefkoşa and İskele are also what Turkish calls the districts of Nicosia and Larnaca.
  // The acquis is suspended there, also for VAT: Protocol 10 to the Act of Accession of 2003.
  {
    id: 'CY-X-NORTH',
    country: 'CY',
    codes: '06|TRNC|KKTC',
    names: `Northern Cyprus|North Cyprus|Kuzey Kıbrıs|Kuzey Kibris|Nordzypern|
      Turkish Republic of Northern Cyprus|
      Kuzey Kıbrıs Türk Cumhuriyeti|Mersin 10|Keryneia|Kyrenia|Girne|Gazimağusa|
      Güzelyurt|Lefke`,
    postal_code: /^99\d{3}$/,
    name: 'the northern part of Cyprus',
  },
  {
    id: 'SJ',
    country: 'NO',
    codes: '21|22|SJ',
    names: 'Svalbard|Spitsbergen|Jan Mayen',
    towns: 'Longyearbyen|Ny-Ålesund',
  },
  { id: 'AS', country: 'US', codes: 'AS', names: 'American Samoa' },
  { id: 'GU', country: 'US', codes: 'GU', names: 'Guam' },
  { id: 'MP', country: 'US', codes: 'MP', names: 'Northern Mariana Islands|Saipan' },
  {
    id: 'UM',
    country: 'US',
    codes: 'UM',
    names: 'United States Minor Outlying Islands|US Minor Outlying Islands',
  },
  {
    id: 'VI',
    country: 'US',
    codes: 'VI',
    names: `United States Virgin Islands|US Virgin Islands|U.S. Virgin Islands|
      Virgin Islands`,
  },
  // Countries in free association, with addresses of the USPS: Publication 28, appendix B.
  { id: 'MH', country: 'US', codes: 'MH', names: 'Marshall Islands|Republic of the Marshall Islands' },
  { id: 'PW', country: 'US', codes: 'PW', names: 'Palau|Republic of Palau' },
  { id: 'FM', country: 'US', codes: 'FM', names: 'Micronesia|Federated States of Micronesia' },
]

/** Ids by country and what an address says. Codes are no names of towns. */
type Index = {
  regions: Map<string, string>
  towns: Map<string, string>
  alone: Map<string, string>
  forms: readonly Territory[]
}

/** Made at its first use: the addresses of most sales name no region that the data lacks. */
let made: Index | null = null

function indexOf(): Index {
  if (made !== null) return made
  const regions = new Map<string, string>()
  const towns = new Map<string, string>()
  const alone = new Map<string, string>()
  for (const { id, country, codes, names, shared, alone: only, towns: listed } of TERRITORIES) {
    const put = (index: Map<string, string>, texts: string | undefined) =>
      texts?.split('|').forEach((text) => index.set(keyOf(country, plainName(text)), id))
    for (const texts of [codes, names, shared, only, listed]) put(regions, texts)
    for (const texts of [names, listed]) put(towns, texts)
    put(alone, only)
  }
  made = { regions, towns, alone, forms: TERRITORIES.filter(({ postal_code }) => postal_code !== undefined) }
  return made
}

/** `plain`: a name as plainName returns it. Signs between its words do not matter. */
function keyOf(country: string, plain: string): string {
  const words = /^[a-z0-9]*$/.test(plain) ? plain : plain.replaceAll(/[\s\-–.,'’()/]+/g, ' ').trim()
  return `${country}-${words}`
}

/** The territory that the region of an address names by a code, an id or a name; null: none. */
export function territoryNamed(country: string, plain: string): string | null {
  const { regions } = indexOf()
  const prefix = `${country.toLowerCase()}-`
  const known = regions.get(keyOf(country, plain))
  if (known !== undefined) return known
  return plain.startsWith(prefix) ? (regions.get(keyOf(country, plain.slice(prefix.length))) ?? null) : null
}

/** The countries whose cities may name a territory. */
const WITH_TERRITORIES: ReadonlySet<string> = new Set(TERRITORIES.map(({ country }) => country))

/** The territory of a city that lies in no other part of its country; null: in none. */
export function territoryOfTown(country: string, city: string, has_region: boolean): string | null {
  if (!WITH_TERRITORIES.has(country)) return null
  const { towns, alone } = indexOf()
  const key = keyOf(country, plainName(city))
  return towns.get(key) ?? (has_region ? null : (alone.get(key) ?? null))
}

/**
 * Postal codes that no territory has, without spaces and hyphens. Codes of only zeros stand for none; codes
 * of Livigno and Campione are those of their neighbours too.
 */
const MAINLAND: Readonly<Record<string, RegExp>> = {
  AT: /^[1-9]\d{3}$/,
  CH: /^[1-9]\d{3}$/,
  CY: /^[1-8]\d{3}$/,
  DE: /^(?!00)\d{5}$/,
  DK: /^(?!39|0000)\d{4}$/,
  ES: /^(0[1-9]|[1-4]\d|50)\d{3}$/,
  FI: /^(?!22|00000)\d{5}$/,
  FR: /^(0[1-9]|1\d|2[1-9]|[3-8]\d|9[0-5])\d{3}$/,
  GB: /^(?!BT|IM|JE|GY|GX|BF)[A-Z]{1,2}\d[A-Z\d]?\d[A-Z]{2}$/,
  GR: /^(?!6308)[1-8]\d{4}$/,
  IT: /^(?!00000|23030|2206)\d{5}$/,
  NL: /^[1-9]\d{3}[A-Z]{2}$/,
  NO: /^(?!0000)\d{4}$/,
  PT: /^[1-8]\d{3}(\d{3})?$/,
}

/**
 * Whether a code that no rule gives to a territory is one of the rest of its country, so that an address with
 * it is not in the territory that its region names.
 */
export function isMainlandCode(country: string, code: string, named: string | null): boolean {
  if (MAINLAND[country]?.test(code) !== true) return false
  return (
    named === null ||
    TERRITORIES.every(({ id, codes_of_country }) => id !== named || codes_of_country !== true)
  )
}

/** The territory whose postal codes have the form of this one, without spaces and hyphens; null: none. */
export function territoryOfCode(country: string, code: string): string | null {
  for (const { id, country: own, postal_code } of indexOf().forms)
    if (own === country && postal_code?.test(code) === true) return id
  return null
}

/** The name of a territory that neither the data nor ISO 3166 names; null: there is none. */
export function nameOfTerritory(id: string): string | null {
  return TERRITORIES.find((each) => each.id === id)?.name ?? null
}
