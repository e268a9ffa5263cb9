INSERT INTO lake.reports.weekly
WITH lines AS (
    SELECT o.order_id, c.region, date_trunc('week', o.placed_at) AS week, i.product, i.quantity * i.price AS value
    FROM lake.sales.orders AS o
    JOIN lake.sales.customers AS c ON c.customer_id = o.customer_id
    CROSS JOIN UNNEST(o.items) AS i (product, quantity, price)
),
by_product AS (
    SELECT region, week, product, sum(value) AS revenue
    FROM lines
    GROUP BY region, week, product
),
by_region AS (
    SELECT
        region,
        week,
        sum(revenue) AS revenue,
        max_by(product, revenue) AS top_product
    FROM by_product
    GROUP BY GROUPING SETS ((region, week))
)
SELECT
    r.region,
    r.week,
    r.revenue,
    r.revenue / sum(r.revenue) OVER (PARTITION BY r.week) AS share,
    r.top_product,
    r.revenue >= (SELECT t.target FROM pg.public.targets AS t WHERE t.region = r.region AND t.week = r.week)
FROM by_region AS r;

SELECT region, approx_percentile(revenue, 0.5) FILTER (WHERE week > current_date - INTERVAL '90' DAY) AS median
FROM lake.reports.weekly
WHERE reached
GROUP BY region
ORDER BY median DESC
FETCH FIRST 10 ROWS ONLY;
