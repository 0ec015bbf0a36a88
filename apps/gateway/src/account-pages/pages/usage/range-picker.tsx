import { Button } from '../../components/controls/button.js';
import { Field } from '../../components/controls/field.js';
import { Form } from '../../components/controls/form.js';
import { Select } from '../../components/controls/select.js';
import { pagePaths } from '../../paths/page-paths.js';
import { ranges, type UsageView, usagePath } from './usage-view.js';

/** Which days, and how they are divided. */
export function RangePicker({ view }: { readonly view: UsageView }) {
  return (
    <div class="range-picker">
      <ul class="choices" aria-label="Days">
        {ranges.map((days) => (
          <li key={days}>
            <a href={usagePath(view, { days })} aria-current={view.days === days ? 'true' : undefined}>
              {days} days
            </a>
          </li>
        ))}
      </ul>
      <Form
        method="get"
        class="line-form"
        action={pagePaths.usage}
        hidden={{ key: view.keyId, operation: view.operation, state: view.state }}
      >
        <Field id="from" name="from" label="From" input={{ type: 'date', value: view.from }} />
        <Field id="to" name="to" label="To" input={{ type: 'date', value: view.to }} />
        <Select
          id="unit"
          name="unit"
          label="Show"
          value={view.unit}
          options={{ credits: 'Credits', calls: 'Calls' }}
        />
        <Select
          id="by"
          name="by"
          label="By"
          value={view.by}
          options={{ operation: 'Operation', key: 'Key' }}
        />
        <Button>Apply</Button>
      </Form>
    </div>
  );
}
