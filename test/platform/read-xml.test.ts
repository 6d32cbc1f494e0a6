import { describe, expect, it } from 'vitest'
import { readXml } from '../../src/platform/read-xml.ts'

/** As plain JSON: the parts have no prototype. */
function read(...args: Parameters<typeof readXml>): unknown {
  return JSON.parse(JSON.stringify(readXml(...args)))
}

describe('a document in XML', () => {
  it('has texts, parts by their names without prefixes, and lists of what is there several times', () => {
    const document =
      '<?xml version="1.0"?><s:Body xmlns:s="urn:x"><s:Name> A &amp; B&#x20AC; </s:Name><n>1</n><n/><Empty/></s:Body>'
    expect(read(document)).toEqual({ Body: { Name: 'A & B€', n: ['1', ''], Empty: '' } })
  })

  it('has lists of one, attributes and blanks where they are wanted', () => {
    const document = '<sheet><row r="1"><c> x </c></row></sheet>'
    expect(read(document, { lists: new Set(['row']), attributes: '@', blanks: true })).toEqual({
      sheet: { row: [{ '@r': '1', c: ' x ' }] },
    })
    expect(read('<c t="s">5</c>', { attributes: '@' })).toEqual({ c: { '@t': 's', '#text': '5' } })
  })

  it('has the text of CDATA, and no comments', () => {
    expect(read('<a><!-- no --><![CDATA[<b>]]></a>')).toEqual({ a: '<b>' })
  })

  it('may name its elements as objects of JavaScript name theirs', () => {
    expect(read('<a><constructor>1</constructor><__proto__>2</__proto__></a>')).toMatchObject({
      a: { constructor: '1' },
    })
  })

  it.each(['', 'text', '{"json":true}'])('without an element is refused: %j', (document) => {
    expect(() => readXml(document)).toThrow('no element')
  })

  it.each(['<a><b>1</b>', '<a><b>1</a>', '<a>1', '<a><b>1</b><c'])(
    'that is cut is refused: %s',
    (document) => {
      expect(() => readXml(document)).toThrow('is not closed')
    },
  )

  it('expands no entity of its own', () => {
    const document = `<!DOCTYPE a [<!ENTITY e "${'x'.repeat(1_000)}">]><a>&e;</a>`
    expect(read(document)).toEqual({ a: '&e;' })
  })

  it('refuses elements in so many others that their parser would take minutes', () => {
    const nested = (levels: number) => '<a>'.repeat(levels) + '</a>'.repeat(levels)
    expect(() => readXml(nested(200_000))).toThrow('a is in more than 100 elements')
    expect(readXml(nested(100))).toMatchObject({ a: { a: { a: {} } } })
  })
})
