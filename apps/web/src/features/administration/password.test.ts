import { passwordFault } from '@postil/contract/people/password-rules.ts'
import { expect, test } from 'vitest'
import { makePassword } from './password.ts'

test('a password is long enough, consists of ASCII letters and digits, and is different each time', () => {
  const made = Array.from({ length: 200 }, () => makePassword())
  for (const password of made) expect(password).toMatch(/^[a-zA-Z2-9]{16}$/)
  expect(new Set(made).size).toBe(made.length)
  expect(made.join('')).not.toMatch(/[lIO01]/)
  expect(passwordFault(makePassword())).toBeNull()
})

test('every character is about equally likely', () => {
  const counts = new Map<string, number>()
  for (const letter of makePassword(57_000)) counts.set(letter, (counts.get(letter) ?? 0) + 1)
  expect(counts.size).toBe(57)
  for (const count of counts.values()) expect(Math.abs(count - 1000)).toBeLessThan(250)
})
