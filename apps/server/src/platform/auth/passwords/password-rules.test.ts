import { expect, it, test } from 'vitest'
import { weaknessOf } from './password-rules.ts'

test.each([
  ['password', 'common password'],
  ['Password1', 'common password'],
  ['12345678', 'common password'],
  ['QWERTYUIOP', 'common password'],
  ['iloveyou1', 'common password'],
  ['postil123', 'name or term'],
  ['Argilla-2026!', 'name or term'],
  ['annotator1', 'name or term'],
  ['ada.lovelace', 'username'],
  ['Ada.Lovelace99', 'username'],
  ['        ', 'blank'],
])('%s is rejected', async (password, reason) => {
  expect(await weaknessOf(password, 'ada.lovelace')).toContain(reason)
})

it('any other password is accepted, whatever its characters', async () => {
  const passwords = [
    'correct horse battery',
    'aaaaaaaaaaaaaaab',
    '         x',
    'пароль длинный',
    '🐟🐠🐡🦈🐙🐚🦀🦐',
    '9182736451029',
    'x'.repeat(100),
  ]
  for (const password of passwords) expect([password, await weaknessOf(password, 'ada')]).toEqual([password, null])
})
