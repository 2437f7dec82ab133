import { useQuery } from '@tanstack/react-query';
import { client } from '../connection/client';
import { Field } from '../elements/field';
import { draftOf, EMPTY, type Draft } from './draft';
import { EXAMPLES } from './examples';

/** Fills the form with an example, or with what a recipe was learnt for. */
export function Choice({ onChoose }: { onChoose: (draft: Draft) => void }) {
  const { data: recipes = [] } = useQuery({ queryKey: ['recipes'], queryFn: () => client.listRecipes() });
  const used = recipes.filter(({ status }) => status === 'promoted');
  function choose(choice: string): void {
    const example = EXAMPLES[choice];
    const recipe = used.find(({ recipeId }) => recipeId === choice);
    if (example !== undefined) onChoose(draftOf(example));
    else if (recipe !== undefined) onChoose(draftOfRecipe(recipe.key));
    else onChoose(EMPTY);
  }
  return (
    <Field label="Begin with">
      {(id) => (
        <select id={id} defaultValue="" onChange={(event) => choose(event.target.value)}>
          <option value="">an empty form</option>
          <optgroup label="Examples, against the demo shop">
            {Object.keys(EXAMPLES).map((name) => (
              <option key={name}>{name}</option>
            ))}
          </optgroup>
          {used.length > 0 && (
            <optgroup label="Recipes, which need no model">
              {used.map(({ recipeId, key }) => (
                <option key={recipeId} value={recipeId}>
                  {key.instruction}
                </option>
              ))}
            </optgroup>
          )}
        </select>
      )}
    </Field>
  );
}

type Key = Awaited<ReturnType<typeof client.listRecipes>>[number]['key'];

/** Its page has to be opened first; where a part of the address differs each time, the person fills it in. */
function draftOfRecipe({ instruction, task, page, variables }: Key): Draft {
  const rows = variables.map((name) => ({ name, value: '', env: '' }));
  if (task === true) return { ...EMPTY, kind: 'task', text: instruction, variables: rows };
  return { ...EMPTY, text: `Open ${page}\n${instruction}`, variables: rows };
}
