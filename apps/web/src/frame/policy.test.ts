import { expect, test } from 'vitest'
import { policyOf } from './policy.ts'

const directive = (policy: string, name: string): string | undefined =>
  policy.split('; ').find((one) => one.startsWith(`${name} `))

test('a template may load images from the origins of the record, and files from the listed sources', () => {
  const policy = policyOf(['https://images.example.org', 'http://127.0.0.1:9000'], ['https://cdn.example.org'])
  const all = "'self' data: blob: https://images.example.org http://127.0.0.1:9000 https://cdn.example.org"
  expect(directive(policy, 'img-src')).toBe(`img-src ${all}`)
  expect(directive(policy, 'media-src')).toBe(`media-src ${all}`)
  expect(directive(policy, 'script-src')).toBe("script-src 'self' 'unsafe-inline' 'unsafe-eval' https://cdn.example.org")
  expect(directive(policyOf([], ['*']), 'img-src')).toBe("img-src 'self' data: blob: https:")
})

test('host names may contain underscores, as those of containers and buckets do', () => {
  const policy = policyOf(['https://my_bucket.example.org', 'http://object_store:9000'], ['https://cdn_1.example.org'])
  const all = "'self' data: blob: https://my_bucket.example.org http://object_store:9000 https://cdn_1.example.org"
  expect(directive(policy, 'img-src')).toBe(`img-src ${all}`)
  expect(directive(policy, 'script-src')).toContain(' https://cdn_1.example.org')
})

test('the host of an image can’t change the policy', () => {
  const hosts = ['*', '*.example.org', 'a;script-src', "a'none'", 'a"><script>', 'a,b']
  for (const host of hosts) expect(policyOf([`https://${host}`], [])).toBe(policyOf([], []))
})

test('a text may show images from any origin, but has no scripts', () => {
  expect(directive(policyOf(null, []), 'img-src')).toBe("img-src 'self' data: blob: https: http:")
  expect(directive(policyOf(null, []), 'script-src')).toBe("script-src 'none'")
})
