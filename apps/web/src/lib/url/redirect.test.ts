import { describe, expect, test } from 'vitest'
import { safeReturnPath } from './redirect.ts'

const origin = 'https://notes.example'

describe('the return path after sign-in', () => {
  test.each(['/dataset/1/annotation-mode?page=2&search=a_b~all', '/dataset/1/annotation-mode#here', '/?workspaces=default'])(
    'accepts %s',
    (path) => {
      expect(safeReturnPath(path, origin, '')).toBe(path)
    },
  )

  test.each([
    '//evil.example',
    '/\\evil.example',
    '/\t/evil.example',
    '/..//evil.example',
    '/.//evil.example/x',
    'https://evil.example',
    'javascript:alert(1)',
    'dataset/1',
    '',
    '/',
    '/sign-in',
    '/sign-in?link=abc',
    '/welcome-hf-sign-in',
    '/oauth/github/callback?code=1',
    null,
  ])('refuses %j', (path) => {
    expect(safeReturnPath(path, origin, '')).toBeNull()
  })

  test('accepts only paths below the prefix, and removes the prefix', () => {
    expect(safeReturnPath('/notes/dataset/1', origin, '/notes')).toBe('/dataset/1')
    expect(safeReturnPath('/dataset/1', origin, '/notes')).toBeNull()
    expect(safeReturnPath('/notes//evil.example', origin, '/notes')).toBeNull()
  })
})
