import type { ReactNode } from 'react'
import { createContext, use, useState } from 'react'
import { createPortal } from 'react-dom'

type Slots = { readonly crumbs: HTMLElement | null; readonly actions: HTMLElement | null }
type Frame = { readonly crumbs: ReactNode; readonly actions: ReactNode }

const noHeader: Slots = { crumbs: null, actions: null }
const SlotsContext = createContext(noHeader)

/**
 * Provides the two header slots. The shell renders the header once and each page fills the slots, so that nothing flickers on
 * navigation.
 */
export const HeaderSlots = ({
  header,
  children,
}: {
  readonly header: (frame: Frame) => ReactNode
  readonly children: ReactNode
}) => {
  const [crumbs, setCrumbs] = useState<HTMLElement | null>(null)
  const [actions, setActions] = useState<HTMLElement | null>(null)
  const frame = {
    crumbs: <div ref={setCrumbs} style={{ display: 'contents' }} />,
    actions: <div ref={setActions} style={{ display: 'contents' }} />,
  }
  return (
    <SlotsContext value={{ crumbs, actions }}>
      {header(frame)}
      {children}
    </SlotsContext>
  )
}

/** Whether the shell's header, which contains the logo, is shown above the page. */
export const useHasHeader = (): boolean => use(SlotsContext) !== noHeader

export const HeaderContent = ({ crumbs, actions }: { readonly crumbs?: ReactNode; readonly actions?: ReactNode }) => {
  const slots = use(SlotsContext)
  return (
    <>
      {slots.crumbs && createPortal(crumbs, slots.crumbs)}
      {slots.actions && createPortal(actions, slots.actions)}
    </>
  )
}
