import { expect, test } from 'vitest'
import { labelHue, labelHues } from './hue.ts'

test('a name always has the same hue, and hues cover the whole circle', () => {
  const hues = Array.from({ length: 3600 }, (_, i) => labelHue(`label ${i}`))
  expect(labelHue('person')).toBe(labelHue('person'))
  expect(hues.every((hue) => hue >= 0 && hue < 360 && Number.isInteger(hue))).toBe(true)
  const tenths = Array.from({ length: 10 }, (_, i) => hues.filter((hue) => Math.floor(hue / 36) === i).length)
  for (const count of tenths) expect(count).toBeGreaterThan(280)
})

const apart = (a: number, b: number) => Math.min((a - b + 360) % 360, (b - a + 360) % 360)

test.each([1, 2, 5, 12, 40, 200])('%i labels of one question have distinct hues', (count) => {
  const hues = [...labelHues(Array.from({ length: count }, (_, i) => `l${i}`)).values()]
  const nearest = Math.min(360, ...hues.flatMap((a, i) => hues.slice(i + 1).map((b) => apart(a, b))))
  expect(nearest).toBeGreaterThanOrEqual(Math.min(40, Math.floor(216 / count)))
})

test('a chosen hue stays, and other labels avoid it', () => {
  const own = labelHue('person')
  const hues = labelHues(['person', 'place'], new Map([['place', own]]))
  expect(hues.get('place')).toBe(own)
  expect(apart(hues.get('person') ?? own, own)).toBeGreaterThanOrEqual(40)
})

test('a label without a nearby hue keeps its own', () => {
  expect(labelHues(['person']).get('person')).toBe(labelHue('person'))
})
