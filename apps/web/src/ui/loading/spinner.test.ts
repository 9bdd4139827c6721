import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { Spinner } from './Spinner.tsx'

const draw = (progress?: number): string => renderToStaticMarkup(createElement(Spinner, { progress }))

test('spins without a progress value', () => {
  expect(draw()).toContain('turning')
  expect(draw()).not.toContain('data-progress')
})

test.each([
  [0, '0', '0 1'],
  [0.5, '50', '0.5 1'],
  [0.999, '99', '0.999 1'],
  [1, '100', '1 1'],
  [7, '100', '1 1'],
  [-1, '0', '0 1'],
])('shows a matching part of the ring for %f', (progress, percent, dashes) => {
  const drawn = draw(progress)
  expect(drawn).toContain(`data-progress="${percent}"`)
  expect(drawn).toContain(`stroke-dasharray="${dashes}"`)
  expect(drawn).not.toContain('turning')
})
