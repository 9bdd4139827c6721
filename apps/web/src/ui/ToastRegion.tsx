import { useEffect, useRef, useSyncExternalStore } from 'react'
import { useTranslation } from '#i18n/use-translation.ts'
import { announce } from './announcer.ts'
import { Button } from './Button.tsx'
import { ErrorCode } from './ErrorCode.tsx'
import type { Icon } from './first-icons.tsx'
import { CloseIcon, DangerIcon, InfoIcon, SubmittedIcon, WarningIcon } from './first-icons.tsx'
import { IconButton } from './IconButton.tsx'
import styles from './ToastRegion.module.css'
import { toasts } from './toast.ts'
import type { Toast, ToastKind, ToastPosition } from './toast-store.ts'

const icons: { readonly [K in ToastKind]: Icon } = {
  info: InfoIcon,
  success: SubmittedIcon,
  warning: WarningIcon,
  danger: DangerIcon,
}
const positions: readonly ToastPosition[] = ['top-left', 'top', 'top-right', 'bottom-left', 'bottom', 'bottom-right']

/** All notifications, at the six places. What they say goes to the live region, so they need no role of their own. */
export const ToastRegion = () => {
  const { t } = useTranslation()
  const shown = useSyncExternalStore(toasts.subscribe, toasts.snapshot)
  useAnnounced(shown)
  return (
    <section aria-label={t('toast.region')} className={styles['region']}>
      {positions.map((position) => {
        const here = shown.filter((toast) => toast.position === position)
        return (
          here.length > 0 && (
            <ul key={position} className={styles['stack']} data-position={position}>
              {here.map((toast) => (
                <ToastItem key={toast.id} toast={toast} />
              ))}
            </ul>
          )
        )
      })}
    </section>
  )
}

const useAnnounced = (shown: readonly Toast[]): void => {
  const last = useRef(0)
  useEffect(() => {
    for (const toast of shown) {
      if (toast.id <= last.current) continue
      last.current = toast.id
      announce(toast.text, toast.kind === 'danger' ? 'assertive' : 'polite')
    }
  }, [shown])
}

const ToastItem = ({ toast }: { readonly toast: Toast }) => {
  const { t } = useTranslation()
  const Mark = icons[toast.kind]
  const pause = () => toasts.pause(toast.id)
  const resume = () => toasts.resume(toast.id)
  return (
    <li
      className={styles['toast']}
      data-kind={toast.kind}
      data-closing={toast.closing ? '' : undefined}
      onPointerEnter={pause}
      onPointerLeave={resume}
      onFocus={pause}
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
            toasts.close(toast.id)
          }}
        >
          {toast.button.label}
        </Button>
      )}
      <IconButton icon={CloseIcon} label={t('action.close')} onClick={() => toasts.close(toast.id)} />
    </li>
  )
}
