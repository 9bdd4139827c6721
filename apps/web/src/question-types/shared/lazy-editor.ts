import type { ComponentType } from 'react'
import { createElement, Suspense } from 'react'
import type { LazyPart } from '#ui/loading/lazy-part.ts'
import { lazyPart } from '#ui/loading/lazy-part.ts'
import { Skeleton } from '#ui/loading/Skeleton.tsx'

/**
 * A part of a question type whose code loads with the first question of the type, because most datasets have few types. A
 * placeholder is shown until the part is loaded. The annotation screen preloads the parts of its questions.
 */
export const lazyEditor = <P extends object>(load: () => Promise<ComponentType<P>>): LazyPart<P> => {
  const Part = lazyPart(async () => ({ default: await load() }))
  const fallback = createElement('div', { 'aria-busy': true }, createElement(Skeleton, { height: '3lh' }))
  const WithPlaceholder = (props: P) => createElement(Suspense, { fallback }, createElement(Part, props))
  return Object.assign(WithPlaceholder, { preload: Part.preload })
}
