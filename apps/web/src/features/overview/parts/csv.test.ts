import { expect, test } from 'vitest'
import { toCsv } from './csv.ts'

test('cells are quoted where necessary, and never become formulas', () => {
  const rows = [
    ['a, "b"', 0.5, null],
    ['=1+1', -1, 'line\nbreak'],
    ['＝1', '＠a', '\t=1'],
  ]
  expect(toCsv({ head: ['x', '+y', 'z'], rows })).toBe(
    'x,\'+y,z\r\n"a, ""b""",0.5,\r\n\'=1+1,-1,"line\nbreak"\r\n\'＝1,\'＠a,\'\t=1\r\n',
  )
})
