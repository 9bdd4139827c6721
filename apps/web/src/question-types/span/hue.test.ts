import { expect, test } from 'vitest'
import { labelHue, labelHues } from './hue.ts'

test('a name has one hue, spread over the whole circle', () => {
  const hues = Array.from({ length: 3600 }, (_, i) => labelHue(`label ${i}`))
  expect(labelHue('person')).toBe(labelHue('person'))
  expect(hues.every((hue) => hue >= 0 && hue < 360 && Number.isInteger(hue))).toBe(true)
  const tenths = Array.from({ length: 10 }, (_, i) => hues.filter((hue) => Math.floor(hue / 36) === i).length)
  for (const count of tenths) expect(count).toBeGreaterThan(280)
})

const apart = (a: number, b: number) => Math.min((a - b + 360) % 360, (b - a + 360) % 360)

test.each([1, 2, 5, 12, 40, 200])('%i labels of one question are told apart', (count) => {
  const hues = [...labelHues(Array.from({ length: count }, (_, i) => `l${i}`)).values()]
  const nearest = Math.min(360, ...hues.flatMap((a, i) => hues.slice(i + 1).map((b) => apart(a, b))))
  expect(nearest).toBeGreaterThanOrEqual(Math.min(40, Math.floor(216 / count)))
})

test('a hue that was chosen stays, and those of other labels keep away from it', () => {
  const own = labelHue('person')
  const hues = labelHues(['person', 'place'], new Map([['place', own]]))
  expect(hues.get('place')).toBe(own)
  expect(apart(hues.get('person') ?? own, own)).toBeGreaterThanOrEqual(40)
})

test('a label whose colour nobody is near keeps its own', () => {
  expect(labelHues(['person']).get('person')).toBe(labelHue('person'))
})
