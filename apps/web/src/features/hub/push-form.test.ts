import { expect, test } from 'vitest'
import { faultsOf, repositoryName } from './push-form.ts'

const good = { owner: 'my-org', name: 'reviews', isPrivate: false, token: 'hf_abcdef' }

test('missing and invalid values are reported separately', () => {
  expect(faultsOf(good)).toEqual({ owner: null, name: null, token: null })
  expect(faultsOf({ ...good, owner: ' ', name: '', token: '' })).toEqual({
    owner: 'ownerRequired',
    name: 'nameRequired',
    token: 'tokenRequired',
  })
  expect(faultsOf({ ...good, owner: 'a/b', name: '-x', token: 'password' })).toEqual({
    owner: 'nameForm',
    name: 'nameForm',
    token: 'tokenInvalid',
  })
})

test('a proposed name is valid', () => {
  expect(repositoryName('Bücher & more … (2024)')).toBe('Bucher-more-2024')
  expect(repositoryName('--..')).toBe('')
})
