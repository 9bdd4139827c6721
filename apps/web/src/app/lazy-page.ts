import { lazyRouteComponent } from '@tanstack/react-router'
import type { ComponentType } from 'react'
import { loadFile } from '#lib/net/load-file.ts'

/**
 * A page whose code loads when it is opened. If loading fails, the router's own implementation would reload the whole page,
 * even while offline, when nothing can load. This one shows the error page instead.
 */
export const lazyPage = <K extends string>(load: () => Promise<{ readonly [name in K]: ComponentType }>, name: K) =>
  lazyRouteComponent(() => loadFile(load), name)
