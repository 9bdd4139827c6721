import type { ComponentType, LazyExoticComponent } from 'react'
import { lazy } from 'react'
import { ApiError } from '#lib/api/api-error.ts'
import { nextChance } from '#lib/net/next-chance.ts'
import { toastProblem } from './toast.ts'

type Loaded<P> = { readonly default: ComponentType<P> }
type Options = {
  /** True where somebody has asked for it and waits: that it does not come is told. */
  readonly isAskedFor?: boolean
}

/** Loads until it is there; each failure is told, and waits for the next chance. Never rejects. */
export const loadAtLast = async <T>(load: () => Promise<T>, onFailure: () => void, chance = nextChance): Promise<T> => {
  for (;;) {
    try {
      return await load()
    } catch {
      onFailure()
      await chance()
    }
  }
}

/**
 * A part of a screen whose code comes when it is first shown. Without a network it is late and the rest of the screen stays as it is:
 * React's own `lazy` would put the error page in its place, and never ask again.
 */
export const lazyPart = <P>(
  load: () => Promise<Loaded<P>>,
  { isAskedFor = false }: Options = {},
): LazyExoticComponent<ComponentType<P>> => {
  const tell = (): void => {
    if (isAskedFor) toastProblem(new ApiError(0, undefined))
  }
  return lazy(() => loadAtLast(load, tell))
}
