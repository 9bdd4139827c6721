import type { ComponentType } from 'react'
import { createElement, Suspense } from 'react'
import type { LazyPart } from '#ui/loading/lazy-part.ts'
import { lazyPart } from '#ui/loading/lazy-part.ts'
import { Skeleton } from '#ui/loading/Skeleton.tsx'

/**
 * A component of a question type. Its code is loaded only when a question of this type is shown, because most datasets have few
 * types. A placeholder is shown until the code is loaded. The annotation screen preloads the components of its questions.
 */
export const lazyEditor = <P extends object>(load: () => Promise<ComponentType<P>>): LazyPart<P> => {
  const Part = lazyPart(async () => ({ default: await load() }))
  const fallback = createElement('div', { 'aria-busy': true }, createElement(Skeleton, { height: '3lh' }))
  const WithPlaceholder = (props: P) => createElement(Suspense, { fallback }, createElement(Part, props))
  return Object.assign(WithPlaceholder, { preload: Part.preload })
}
