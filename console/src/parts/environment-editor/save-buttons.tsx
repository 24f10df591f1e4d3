import type { ReactNode } from "react";
import { useMay } from "../../data/me.ts";
import { Button } from "../../ui/button.tsx";
import { FormActions } from "../../ui/form.tsx";

interface Props {
  isPending: boolean;
  refusal: string | undefined;
  disabledReason?: string | undefined;
  onSaveAndDeploy: () => void;
  children?: ReactNode;
}

/** Saved values apply from the next deployment on: it can be requested at once. */
export function SaveButtons({ isPending, refusal, disabledReason, onSaveAndDeploy, children }: Props) {
  return (
    <FormActions refusal={refusal}>
      <Button type="submit" kind="primary" isPending={isPending} disabledReason={disabledReason}>
        Save
      </Button>
      {useMay("deployment:create") && (
        <Button onPress={onSaveAndDeploy} isPending={isPending} disabledReason={disabledReason}>
          Save and deploy
        </Button>
      )}
      {children}
    </FormActions>
  );
}
