import { expect, it, test } from 'vitest'
import { weaknessOf } from './password-rules.ts'

test.each([
  ['password', 'many people'],
  ['Password1', 'many people'],
  ['12345678', 'many people'],
  ['QWERTYUIOP', 'many people'],
  ['iloveyou1', 'many people'],
  ['postil123', 'name of this server'],
  ['Argilla-2026!', 'name of this server'],
  ['annotator1', 'name of this server'],
  ['ada.lovelace', 'username'],
  ['Ada.Lovelace99', 'username'],
  ['        ', 'blanks'],
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
