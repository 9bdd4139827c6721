import { lazyRouteComponent } from '@tanstack/react-router'
import type { ComponentType } from 'react'
import { loadFile } from '#lib/net/load-file.ts'

/**
 * A page whose code loads when it is opened. On failure, the router's own implementation reloads the whole page, even without a
 * network, where nothing would load. Here, the error page reports the problem.
 */
export const lazyPage = <K extends string>(load: () => Promise<{ readonly [name in K]: ComponentType }>, name: K) =>
  lazyRouteComponent(() => loadFile(load), name)
