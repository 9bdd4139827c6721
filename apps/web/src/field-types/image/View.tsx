import { fileNamedBy } from '@postil/contract/stored-file-names.ts'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { href } from '#lib/api/base.ts'
import { Skeleton } from '#ui/Skeleton.tsx'
import type { FieldViewProps } from '../define.ts'
import styles from './View.module.css'

/** The schemes that a picture may come from; anything else is not asked for. */
const allowed = /^(?:https?:\/\/|data:image\/)/i

export const ImageView = ({ field, value }: FieldViewProps<'image'>) => {
  const { t } = useTranslation('field-types/image')
  const [state, setState] = useState<'loading' | 'shown' | 'failed'>('loading')
  const [isLarge, setLarge] = useState(false)
  const stored = fileNamedBy(value)
  // A file of ours is asked for where the page is, whatever the server was called when the file was imported.
  const source = stored ? href(stored.path) : String(value)
  if ((stored === null && !allowed.test(source)) || state === 'failed')
    return <p className={styles['failed']}>{t('couldNotLoad')}</p>
  return (
    <div className={styles['frame']} data-large={isLarge ? '' : undefined}>
      {state === 'loading' && <Skeleton width="100%" height="12rem" />}
      <button
        type="button"
        className={styles['zoom']}
        aria-pressed={isLarge}
        aria-label={t('naturalSize', { title: field.title })}
        onClick={() => setLarge(!isLarge)}
      >
        <img
          className={styles['image']}
          data-state={state}
          src={source}
          alt={field.title}
          referrerPolicy="no-referrer"
          decoding="async"
          onLoad={() => setState('shown')}
          onError={() => setState('failed')}
        />
      </button>
    </div>
  )
}
