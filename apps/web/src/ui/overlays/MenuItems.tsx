import type { ComponentProps, ReactNode } from 'react'
import { useId } from 'react'
import type { Icon } from '../marks/first-icons.tsx'
import { CheckIcon } from '../marks/icons.tsx'
import { classNames } from '../styles/class-names.ts'
import { useCloseMenu } from './menu-context.ts'
import styles from './popup.module.css'

type ContentProps = { readonly icon?: Icon; readonly end?: ReactNode; readonly children: ReactNode }

const Content = ({ icon: Mark, end, children }: ContentProps) => (
  <>
    {Mark && <Mark />}
    <span className={styles['grow']}>{children}</span>
    {end !== undefined && <span className={styles['end']}>{end}</span>}
  </>
)

const Item = ({ className, ...rest }: ComponentProps<'button'>) => (
  <button
    type="button"
    tabIndex={-1}
    {...rest}
    className={classNames(styles['item'], className)}
    // Only one item is highlighted at a time, whether users move to it with the pointer or the keyboard.
    onPointerMove={(event) => event.pointerType === 'mouse' && event.currentTarget.focus({ preventScroll: true })}
  />
)

type MenuItemProps = ContentProps & { readonly disabled?: boolean; readonly onSelect: () => void }

export const MenuItem = ({ disabled = false, onSelect, ...content }: MenuItemProps) => {
  const close = useCloseMenu()
  return (
    <Item
      role="menuitem"
      disabled={disabled}
      onClick={() => {
        close()
        onSelect()
      }}
    >
      <Content {...content} />
    </Item>
  )
}

export const MenuSeparator = () => <hr className={styles['separator']} />

const MenuGroup = ({ label, children }: { readonly label: string; readonly children: ReactNode }) => {
  const id = useId()
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset is not allowed in a menu
    <div role="group" aria-labelledby={id}>
      <div id={id} className={styles['groupLabel']}>
        {label}
      </div>
      {children}
    </div>
  )
}

export type Choice<T extends string> = {
  readonly value: T
  readonly label: string
  readonly icon?: Icon
  readonly end?: ReactNode
  readonly lang?: string
}

type OneProps<T extends string> = {
  readonly label: string
  readonly value: T
  readonly choices: readonly Choice<T>[]
  readonly onChange: (value: T) => void
  /** Whether a choice closes the menu. If false, users can try several choices, such as themes. */
  readonly closeOnClick?: boolean
}

/** A group of menu items, of which exactly one is chosen. */
export const MenuChoice = <T extends string>({ label, value, choices, onChange, closeOnClick = true }: OneProps<T>) => {
  const close = useCloseMenu()
  return (
    <MenuGroup label={label}>
      {choices.map((choice) => (
        <Item
          key={choice.value}
          role="menuitemradio"
          aria-checked={choice.value === value}
          lang={choice.lang}
          onClick={() => {
            if (closeOnClick) close()
            onChange(choice.value)
          }}
        >
          <Content {...choice}>{choice.label}</Content>
          <span className={styles['indicator']}>{choice.value === value && <CheckIcon />}</span>
        </Item>
      ))}
    </MenuGroup>
  )
}
