{{
    config(
        materialized='incremental',
        unique_key='order_id'
    )
}}

{% set payment_methods = ['credit_card', 'coupon', 'gift_card'] %}

with orders as (
    select * from {{ ref('stg_orders') }}
),

order_payments as (
    select
        order_id,
        {% for payment_method in payment_methods -%}
        sum(case when payment_method = '{{ payment_method }}' then amount_cents / 100.0 else 0 end)
            as {{ payment_method }}_amount,
        {% endfor -%}
        sum(amount_cents) / 100.0 as total_amount
    from {{ source('shop', 'raw_payments') }}
    group by order_id
)

select
    orders.order_id,
    orders.customer_id,
    orders.order_date,
    {% for payment_method in payment_methods -%}
    order_payments.{{ payment_method }}_amount,
    {% endfor -%}
    order_payments.total_amount as amount
from orders
left join order_payments using (order_id)
where orders.status <> 'cancelled'
{% if is_incremental() %}
  and orders.order_date >= (select max(order_date) from {{ this }})
{% endif %}
