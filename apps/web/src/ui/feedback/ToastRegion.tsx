import type { CSSProperties } from 'react'
import { useEffect, useLayoutEffect, useRef, useSyncExternalStore } from 'react'
import { useTranslation } from '#i18n/use-translation.ts'
import { Button } from '../controls/Button.tsx'
import { IconButton } from '../controls/IconButton.tsx'
import type { Icon } from '../marks/first-icons.tsx'
import { CloseIcon, DangerIcon, InfoIcon, SubmittedIcon, WarningIcon } from '../marks/first-icons.tsx'
import { freezeWhilePressed } from '../page/freeze-while-pressed.ts'
import { announce } from './announcer.ts'
import { ErrorCode } from './ErrorCode.tsx'
import styles from './ToastRegion.module.css'
import { toasts } from './toast.ts'
import { toastInset } from './toast-inset.ts'
import type { Toast, ToastKind, ToastPosition } from './toast-store.ts'

const icons: { readonly [K in ToastKind]: Icon } = {
  info: InfoIcon,
  success: SubmittedIcon,
  warning: WarningIcon,
  danger: DangerIcon,
}
/** Notifications in the page's flow move the page, so they must not appear while the user presses something. */
const stableToasts = freezeWhilePressed(toasts)
const positions: readonly ToastPosition[] = ['top-left', 'top', 'top-right', 'bottom-left', 'bottom', 'bottom-right']

/**
 * All notifications. Some appear at one of six positions and avoid the space that is reserved for other elements. Others appear
 * in the page's flow, above the page. The live region announces their texts, so they need no role of their own.
 */
export const ToastRegion = () => {
  const { t } = useTranslation()
  const shown = useSyncExternalStore(toasts.subscribe, toasts.snapshot)
  const { block, inline } = useSyncExternalStore(toastInset.subscribe, toastInset.snapshot)
  useAnnounceToast(shown)
  const inFlow = useSyncExternalStore(stableToasts.subscribe, stableToasts.snapshot).filter((toast) => toast.inFlow)
  const inset = { '--kept-block': `${block}px`, '--kept-inline': `${inline}px` } as CSSProperties
  return (
    <section aria-label={t('toast.region')} className={styles['region']} style={inset}>
      {inFlow.length > 0 && <ToastStrip toasts={inFlow} />}
      {positions.map((position) => {
        const positionToasts = shown.filter((toast) => !toast.inFlow && toast.position === position)
        return (
          positionToasts.length > 0 && (
            <ul key={position} className={styles['stack']} data-position={position}>
              {positionToasts.map((toast) => (
                <ToastItem key={toast.id} toast={toast} />
              ))}
            </ul>
          )
        )
      })}
    </section>
  )
}

/** Notifications above the page. The page starts below them and moves down by their height. */
const ToastStrip = ({ toasts: positionToasts }: { readonly toasts: readonly Toast[] }) => {
  const list = useRef<HTMLUListElement>(null)
  useLayoutEffect(() => {
    const element = list.current
    if (!element) return
    const { style } = document.documentElement
    const measure = (): void => style.setProperty('--strip', `${element.offsetHeight}px`)
    const observer = new ResizeObserver(measure)
    measure()
    observer.observe(element)
    return () => {
      observer.disconnect()
      style.removeProperty('--strip')
    }
  }, [])
  return (
    <ul ref={list} className={styles['strip']}>
      {positionToasts.map((toast) => (
        <ToastItem key={toast.id} toast={toast} />
      ))}
    </ul>
  )
}

const useAnnounceToast = (shown: readonly Toast[]): void => {
  const last = useRef(0)
  useEffect(() => {
    for (const toast of shown) {
      if (toast.id <= last.current) continue
      last.current = toast.id
      if (toast.isQuiet === true) continue
      announce(toast.text, toast.kind === 'danger' ? 'assertive' : 'polite')
    }
  }, [shown])
}

const ToastItem = ({ toast }: { readonly toast: Toast }) => {
  const { t } = useTranslation()
  const Mark = icons[toast.kind]
  const pause = () => toasts.pause(toast.id)
  const resume = () => toasts.resume(toast.id)
  const cameFrom = useRef<Element>(null)
  // The notification's buttons disappear with it, so the focus returns to the element that had it before the notification.
  const close = () => {
    toasts.close(toast.id)
    const place = cameFrom.current?.isConnected ? cameFrom.current : document.getElementById('main')
    if (place instanceof HTMLElement) place.focus({ preventScroll: true })
  }
  return (
    <li
      className={styles['toast']}
      data-kind={toast.kind}
      data-closing={toast.closing ? '' : undefined}
      onPointerEnter={pause}
      onPointerLeave={resume}
      onFocus={({ currentTarget, relatedTarget }) => {
        pause()
        if (!currentTarget.contains(relatedTarget)) cameFrom.current = relatedTarget
      }}
      onBlur={resume}
    >
      <span className={styles['icon']}>
        <Mark />
      </span>
      {toast.onClick ? (
        <button type="button" className={styles['text']} onClick={toast.onClick}>
          {toast.text}
        </button>
      ) : (
        <p className={styles['text']}>
          {toast.text}
          {toast.error !== undefined && <ErrorCode error={toast.error} />}
        </p>
      )}
      {toast.button && (
        <Button
          onClick={() => {
            toast.button?.onClick()
            close()
          }}
        >
          {toast.button.label}
        </Button>
      )}
      <IconButton icon={CloseIcon} label={t('action.close')} onClick={close} />
    </li>
  )
}
