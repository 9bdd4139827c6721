import type { KeyboardEvent } from 'react'
import { Fragment, useId, useState } from 'react'
import { useTranslation } from '#i18n/use-translation.ts'
import type { BoundDeed } from '#lib/keys/bindings.ts'
import { bindingOf, boundDeeds, changesOf, deedBoundTo, rebound, refusalOf, usualBindings } from '#lib/keys/bindings.ts'
import { capsOf } from '#lib/keys/caps.ts'
import { isComposing } from '#lib/keys/is-composing.ts'
import { latinKey } from '#lib/keys/latin-key.ts'
import { changeBindings, useBindings } from '#lib/keys/use-bindings.ts'
import { Button } from '#ui/controls/Button.tsx'
import { VisuallyHidden } from '#ui/marks/VisuallyHidden.tsx'
import { announce } from '#ui/telling/announcer.ts'
import styles from './Keys.module.css'
import page from './ProfilePage.module.css'

/** What was pressed last that could not be taken, and what it was meant for. */
type Refused = { readonly deed: BoundDeed; readonly text: string }

/** The blanks between the keys are for readers. */
const Caps = ({ binding }: { readonly binding: string }) =>
  capsOf(binding).map((cap, index) => (
    <Fragment key={cap}>
      {index > 0 && ' '}
      <kbd>{cap}</kbd>
    </Fragment>
  ))

/** Which keys do what on the annotation screen: one is changed by pressing another. */
export const Keys = () => {
  const { t } = useTranslation('features/profile')
  const id = useId()
  const bindings = useBindings()
  const [asked, setAsked] = useState<BoundDeed | null>(null)
  const [refused, setRefused] = useState<Refused | null>(null)
  const nameOf = (deed: BoundDeed): string => t(`keys.deed.${deed}`)
  const written = (binding: string): string => capsOf(binding).join(' ')

  const ask = (deed: BoundDeed): void => {
    setAsked(deed)
    setRefused(null)
    announce(t('keys.ask', { deed: nameOf(deed) }))
  }
  const stop = (): void => {
    setAsked(null)
    setRefused(null)
  }
  const take = (deed: BoundDeed, binding: string): void => {
    const refusal = refusalOf(binding)
    if (refusal) {
      setRefused({ deed, text: t(`keys.refused.${refusal}`, { key: written(binding) }) })
      return
    }
    const other = deedBoundTo(bindings, binding)
    const words = { key: written(binding), deed: nameOf(deed) }
    const next = rebound(bindings, deed, binding)
    changeBindings(next)
    stop()
    announce(
      other && other !== deed && next[other] !== bindings[other]
        ? t('keys.swapped', { ...words, other: nameOf(other), otherKey: written(next[other]) })
        : t('keys.changed', words),
    )
  }
  const onKeyDown = (event: KeyboardEvent, deed: BoundDeed): void => {
    // Tab leaves, as everywhere.
    if (asked !== deed || event.key === 'Tab' || isComposing(event.nativeEvent)) return
    event.preventDefault()
    event.stopPropagation()
    const { shiftKey: shift, altKey: alt } = event
    const binding = bindingOf({ key: latinKey(event.nativeEvent), shift, alt, ctrl: event.ctrlKey || event.metaKey })
    if (binding === 'Escape') stop()
    else if (binding !== null) take(deed, binding)
  }

  return (
    <section id="keys" className={`${page['part']} ${styles['keys']}`} aria-labelledby={`${id}-title`}>
      <h2 id={`${id}-title`}>{t('keys.title')}</h2>
      <p className={page['hint']}>{t('keys.hint')}</p>
      <ul className={styles['list']}>
        {boundDeeds.map((deed) => (
          <li key={deed} className={styles['line']} data-deed={deed}>
            <span>{nameOf(deed)}</span>
            <Button
              look="quiet"
              className={styles['key']}
              data-asked={asked === deed ? '' : undefined}
              aria-label={asked === deed ? undefined : t('keys.change', { deed: nameOf(deed), key: written(bindings[deed]) })}
              aria-describedby={refused?.deed === deed ? `${id}-refused` : undefined}
              onClick={() => ask(deed)}
              onBlur={stop}
              onKeyDown={(event) => onKeyDown(event, deed)}
              // The space bar presses a button when it is let go of.
              onKeyUp={(event) => asked === deed && event.preventDefault()}
            >
              {asked === deed ? (
                <span>
                  {t('keys.listening')}
                  <VisuallyHidden>. {t('keys.ask', { deed: nameOf(deed) })}</VisuallyHidden>
                </span>
              ) : (
                <Caps binding={bindings[deed]} />
              )}
            </Button>
            {refused?.deed === deed && (
              <p id={`${id}-refused`} role="alert" className={styles['refused']}>
                {refused.text}
              </p>
            )}
          </li>
        ))}
      </ul>
      <Button
        blocked={Object.keys(changesOf(bindings)).length === 0}
        onClick={() => {
          changeBindings(usualBindings)
          announce(t('keys.restored'))
        }}
      >
        {t('keys.usual')}
      </Button>
    </section>
  )
}
